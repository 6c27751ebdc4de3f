// mo._mo: libmo for Python. Requests and results as they are in C; everything that makes them pleasant is Python
// (mo/__init__.py).
#include <mo.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace {

/// What came out; whoever looks into its bytes keeps it alive.
class Result {
 public:
  explicit Result(mo_result* result) : result_(result, mo_result_free) {}

  int status() const { return mo_result_status(result_.get()); }
  std::string error_code() const { return mo_result_error_code(result_.get()); }
  std::string error() const { return mo_result_error(result_.get()); }
  std::string json() const { return mo_result_json(result_.get()); }
  const mo_result* get() const { return result_.get(); }

 private:
  std::unique_ptr<mo_result, void (*)(mo_result*)> result_;
};

/// Read-only bytes of a result, for the buffer protocol.
struct View {
  std::shared_ptr<Result> owner;
  const void* data = nullptr;
  std::size_t size = 0;
};

py::buffer_info buffer_of(const View& view) {
  static const char nothing = 0;  // an empty buffer needs an address as well
  return {const_cast<void*>(view.data ? view.data : &nothing),
          1,
          "B",
          1,
          {static_cast<py::ssize_t>(view.size)},
          {1},
          /*readonly=*/true};
}

py::tuple tensor_of(const std::shared_ptr<Result>& result, std::size_t index) {
  mo_tensor tensor{};
  if (mo_result_tensor(result->get(), index, &tensor) != MO_OK)
    throw py::index_error("there is no output of this number");
  py::tuple shape(tensor.rank);
  for (std::size_t i = 0; i < tensor.rank; ++i) shape[i] = tensor.shape[i];
  return py::make_tuple(py::str(tensor.name), py::str(tensor.element_type), shape,
                        View{result, tensor.data, tensor.size});
}

/// The bytes of an object with a buffer, packed in the order of rows.
class Bytes {
 public:
  explicit Bytes(const py::object& object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_C_CONTIGUOUS) != 0) throw py::error_already_set();
  }
  ~Bytes() { PyBuffer_Release(&buffer_); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  const void* data() const { return buffer_.buf; }
  std::size_t size() const { return static_cast<std::size_t>(buffer_.len); }

 private:
  Py_buffer buffer_{};
};

/// An input of `run`: name, element type, shape, bytes.
struct Input {
  Input(std::string name, std::string type, std::vector<std::int64_t> dims, const py::object& object)
      : name(std::move(name)),
        element_type(std::move(type)),
        shape(std::move(dims)),
        bytes(std::make_unique<Bytes>(object)) {}
  std::string name;
  std::string element_type;
  std::vector<std::int64_t> shape;
  std::unique_ptr<Bytes> bytes;
};

class Request {
 public:
  Request() : request_(mo_request_new(), mo_request_free) {
    if (!request_) throw std::bad_alloc();
  }

  void set(const std::string& option, const std::optional<std::string>& value) {
    check(mo_request_set(request_.get(), option.c_str(), value ? value->c_str() : nullptr));
  }
  void add_words(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const char* const text = word.c_str();
      check(mo_request_add_words(request_.get(), 1, &text));
    }
  }
  void set_bytes(const std::string& option, const std::string& name, const py::object& object) {
    const Bytes bytes(object);
    const py::gil_scoped_release others_run;
    check(mo_request_set_bytes(request_.get(), option.c_str(), name.c_str(), bytes.data(), bytes.size()));
  }
  void keep_in_memory(bool keep) { check(mo_request_keep_in_memory(request_.get(), keep)); }
  void on_progress(py::object progress) { progress_ = std::move(progress); }
  void cancel() { mo_request_cancel(request_.get()); }

  std::shared_ptr<Result> convert() {
    check(mo_request_on_progress(request_.get(), progress_.is_none() ? nullptr : &Request::tell, this));
    return await([this] { return mo_convert(request_.get()); });
  }
  std::shared_ptr<Result> inspect() {
    return await([this] { return mo_inspect(request_.get()); });
  }
  std::shared_ptr<Result> verify() {
    return await([this] { return mo_verify(request_.get()); });
  }
  std::shared_ptr<Result> run(
      const std::vector<std::tuple<std::string, std::string, std::vector<std::int64_t>, py::object>>& inputs) {
    std::vector<Input> held;
    held.reserve(inputs.size());
    for (const auto& [name, type, shape, object] : inputs) held.emplace_back(name, type, shape, object);
    std::vector<mo_tensor> tensors;
    for (const Input& each : held)
      tensors.push_back({each.name.c_str(), each.element_type.c_str(), each.shape.data(), each.shape.size(),
                         each.bytes->data(), each.bytes->size()});
    return await([&] { return mo_run(request_.get(), tensors.data(), tensors.size()); });
  }

 private:
  static void check(mo_status status) {
    if (status == MO_RESOURCE_LIMIT) throw std::bad_alloc();
    if (status != MO_OK) throw py::value_error("libmo refuses the call");
  }

  /// In the thread that works. What the callback raises ends the work, and is raised again by who waits.
  static int tell(void* context, double share, const char* step) {
    auto* const self = static_cast<Request*>(context);
    const py::gil_scoped_acquire locked;
    try {
      const py::object answer = self->progress_(share, step);
      return !answer.is_none() && !answer.cast<bool>();  // False: stop
    } catch (py::error_already_set& raised) {
      self->raised_.emplace(std::move(raised));
      return 1;
    } catch (...) { return 1; }
  }

  /// Works in another thread, so that this one can be interrupted: Python looks at signals (Ctrl-C) in its main thread
  /// only.
  template <class Work>
  std::shared_ptr<Result> await(Work&& work) {
    constexpr std::chrono::milliseconds kBetweenLooks{50};
    std::mutex mutex;
    std::condition_variable changed;
    mo_result* made = nullptr;
    bool done = false;
    std::optional<py::error_already_set> interrupted;
    raised_.reset();
    std::thread worker([&] {
      mo_result* const result = work();
      const std::lock_guard lock(mutex);
      made = result;
      done = true;
      changed.notify_one();
    });
    const auto wait = [&](auto time) {
      const py::gil_scoped_release others_run;
      std::unique_lock lock(mutex);
      return changed.wait_for(lock, time, [&] { return done; });
    };
    while (!wait(kBetweenLooks))
      if (!interrupted && PyErr_CheckSignals() != 0) {
        interrupted.emplace();
        cancel();
      }
    {
      const py::gil_scoped_release others_run;
      worker.join();
    }
    auto result = std::make_shared<Result>(made);
    if (interrupted) throw py::error_already_set(*interrupted);
    if (raised_) throw py::error_already_set(*raised_);
    return result;
  }

  std::unique_ptr<mo_request, void (*)(mo_request*)> request_;
  py::object progress_ = py::none();
  std::optional<py::error_already_set> raised_;
};

}  // namespace

PYBIND11_MODULE(_mo, module) {
  module.doc() = "libmo: requests and results. The interface is the package mo.";
  module.def("version", [] { return std::string(mo_version()); });
  module.def("api_version", &mo_api_version);

  py::class_<View>(module, "View", py::buffer_protocol()).def_buffer(&buffer_of).def("__len__", [](const View& view) {
    return view.size;
  });

  py::class_<Result, std::shared_ptr<Result>>(module, "Result")
      .def_property_readonly("status", &Result::status)
      .def_property_readonly("error_code", &Result::error_code)
      .def_property_readonly("error", &Result::error)
      .def_property_readonly("json", &Result::json)
      .def("part",
           [](const std::shared_ptr<Result>& result, int part) {
             View view{result};
             view.data = mo_result_bytes(result->get(), part == MO_XML ? MO_XML : MO_BIN, &view.size);
             return view;
           })
      .def("__len__", [](const Result& result) { return mo_result_tensor_count(result.get()); })
      .def("tensor", &tensor_of);

  py::class_<Request>(module, "Request")
      .def(py::init<>())
      .def("set", &Request::set, py::arg("option"), py::arg("value") = py::none())
      .def("add_words", &Request::add_words)
      .def("set_bytes", &Request::set_bytes, py::arg("option"), py::arg("name"), py::arg("data"))
      .def("keep_in_memory", &Request::keep_in_memory)
      .def("on_progress", &Request::on_progress)
      .def("cancel", &Request::cancel)
      .def("convert", &Request::convert)
      .def("inspect", &Request::inspect)
      .def("verify", &Request::verify)
      .def("run", &Request::run);
}
