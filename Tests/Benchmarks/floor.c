// What the machine itself takes: a server that does nothing but what is asked of the disk and the pipe.
//
//     floor LIST
//
// Every line is answered by one line. A line that begins with
//
//     e   is answered with "ok": the cost of the pipe, and of the driver
//     r   is answered with the bytes of the list, line ends as spaces
//     w   reads the list, writes the same bytes durably in its place, and is answered with "ok": a temporary file
//         beside it, write, fsync, rename, fsync of the folder; without lock, look, history or any JSON
//
// Reads and writes fail loudly and end the program.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void write_all(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, bytes, length);
    if (written < 0) fail("write");
    bytes += written;
    length -= (size_t)written;
  }
}

// As durable as the system offers.
static void sync_file(int file) {
#ifdef F_FULLFSYNC
  if (fcntl(file, F_FULLFSYNC) == 0) return;
#endif
  if (fsync(file) != 0) fail("fsync");
}

static char *bytes;
static size_t length, room;

// Leaves room for one byte more.
static void read_list(int folder, const char *name) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail(name);
  if (room <= (size_t)status.st_size) {
    room = (size_t)status.st_size * 2 + 1;
    bytes = realloc(bytes, room);
    if (!bytes) fail("realloc");
  }
  for (length = 0; length < (size_t)status.st_size;) {
    ssize_t got = read(file, bytes + length, (size_t)status.st_size - length);
    if (got <= 0) fail("read");
    length += (size_t)got;
  }
  close(file);
}

static void write_list(int folder, const char *name) {
  static const char temporary[] = ".floor.tmp";
  int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) fail(temporary);
  write_all(file, bytes, length);
  sync_file(file);
  close(file);
  if (renameat(folder, temporary, folder, name) != 0) fail("rename");
  sync_file(folder);
}

static void answer(char what, int folder, const char *name) {
  if (what == 'r') {
    read_list(folder, name);
    for (size_t at = 0; at < length; at++) {
      if (bytes[at] == '\n') bytes[at] = ' ';
    }
    bytes[length] = '\n';
    write_all(1, bytes, length + 1);
    return;
  }
  if (what == 'w') {
    read_list(folder, name);
    write_list(folder, name);
  }
  write_all(1, "ok\n", 3);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: floor LIST\n");
    return 2;
  }
  char *folder_path = strdup(arguments[1]), *name = strdup(arguments[1]);
  name = basename(name);
  int folder = open(dirname(folder_path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail(arguments[1]);
  // Only the first byte of a line says anything.
  char first = 0;
  static char input[1 << 16];
  for (;;) {
    ssize_t got = read(0, input, sizeof input);
    if (got < 0) fail("read");
    if (got == 0) return 0;
    for (ssize_t at = 0; at < got; at++) {
      if (input[at] == '\n') {
        answer(first, folder, name);
        first = 0;
      } else if (first == 0) {
        first = input[at];
      }
    }
  }
}
