/* Prints the line of the IR that says what it is; a real program would give the path to its runtime. */
#include <stdio.h>

int main(void) {
  char line[512];
  FILE* file = fopen(MODEL, "r");
  if (!file) return 1;
  while (fgets(line, sizeof line, file))
    if (line[0] == '<' && line[1] == 'n') fputs(line, stdout);
  fclose(file);
  return 0;
}
