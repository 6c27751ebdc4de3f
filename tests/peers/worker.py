"""A worker process of a judge, seen from the outside: whatever happens to it is the verdict about one model."""
import json
import os
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

WORKERS = Path(__file__).resolve().parents[2] / "tools" / "verify" / "engines"
CPU_LIMIT = 120  # seconds of processor time for a job
ASLEEP_LIMIT = 60  # seconds in which no thread runs or waits for the disk: a deadlock
JOBS_PER_PROCESS = 400  # some runtimes grow
TICKS = os.sysconf("SC_CLK_TCK")


def program_of(judge):
    return WORKERS / f"{judge.partition('-')[0]}_worker.py"


def processor_time(pid):
    """Seconds that all threads of the process have used."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def is_asleep(pid):
    """True when no thread of the process runs, could run, or waits for the disk."""
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", encoding="ascii", errors="replace") as file:
                if file.read().rpartition(")")[2].split()[0] in "RD":
                    return False
    except OSError:
        return False
    return True


class Worker:
    """One interpreter with an engine. `ask` never raises because of what the engine does."""

    def __init__(self, judge, python, program=None, cpu_limit=CPU_LIMIT):
        self.judge, self.python, self.program, self.cpu_limit = judge, python, program or program_of(judge), cpu_limit
        self.process, self.version, self.answered = None, "", 0

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([self.python, str(self.program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0,
                                        start_new_session=True)  # its children end with it
        self.unread, self.answered = b"", 0
        hello, problem = self.line()
        if problem:
            raise RuntimeError(f"{self.judge} does not start: {problem} {self.last_words()}")
        self.version = hello["version"]

    def ask(self, job):
        """{"outputs": […]} or {"failed": STEP, "error": TEXT} from the engine; {"failed": STEP, "died": "crash"|"limit"|"hang", "error": TEXT} when it died."""
        if self.process is None or self.answered >= JOBS_PER_PROCESS:
            self.stop()
            self.start()
        step = "start"
        try:
            self.process.stdin.write((json.dumps(job) + "\n").encode())
        except OSError:
            pass  # it died since its last answer: the next line says so
        while True:
            answer, problem = self.line()
            if problem:
                died = dict(failed=step, died=problem, error=self.last_words())
                of_an_earlier_job = step == "start" and self.answered > 0  # that one wrote where it should not
                self.stop()
                return self.ask(job) if of_an_earlier_job else died
            if answer.get("done"):
                self.answered += 1
                return answer
            step = answer["step"]

    def line(self):
        """(answer, "") or (None, "crash"|"limit"|"hang")."""
        pid = self.process.pid
        begin, used, since = processor_time(pid), 0, time.monotonic()
        while b"\n" not in self.unread:
            if select.select([self.process.stdout], [], [], 0.5)[0]:
                more = os.read(self.process.stdout.fileno(), 1 << 16)
                if not more:
                    return None, "crash"
                self.unread += more
                continue
            now = processor_time(pid) - begin
            if now > self.cpu_limit:
                return None, "limit"
            if now > used + 0.02 or not is_asleep(pid):
                used, since = now, time.monotonic()
            elif time.monotonic() - since > ASLEEP_LIMIT:
                return None, "hang"
        line, _, self.unread = self.unread.partition(b"\n")
        return json.loads(line), ""

    def last_words(self):
        """How the process ended, and the end of its stderr."""
        code = self.process.poll()
        if code is None:
            try:
                code = self.process.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 400))
        words = " | ".join(line.strip() for line in self.errors.read().decode(errors="replace").splitlines() if line.strip())
        return ("" if code is None else f"signal {-code} " if code < 0 else f"exit code {code} ") + words[-300:]

    def stop(self):
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)  # also when the worker has ended: engines start processes of their own
            except ProcessLookupError:
                pass
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.errors.close()
            self.process = None
