// Starts a server and takes the times of its answers, for bench.py.
//
//     driver SERVER [ARGUMENT…]
//
// Orders come on standard input, a line each; each is answered on standard output by one line of JSON, times in
// nanoseconds:
//
//     first N LINE…   N times: start the server, send the line, time its first line, let it end   {"ns": […], …}
//     start           start the server                                                           {"pid": …}
//     say LINE        send a line that has no answer                                             {}
//     call N P LINE…  send N lines, each once the one before was answered, with a pause of P hundredths of what that
//                     one took                                                                   {"ns": […], …}
//     burst N LINE…   send N lines as fast as they are taken                                     {"ns": [all], …}
//     stop            end the server's input and wait for its end                                {"status": …}
//
// The lines follow the order. Answers are searched for errors ("failed" counts them) after their time was taken; "shown"
// is the beginning of the first that is one, else of the last answer; "bytes" is the sum of all. The end of the orders
// ends the server's input, and a server that does not end by itself is killed by its pid. Nothing waits for longer than
// 120 s: SIGALRM ends the driver, and its end is the end of the server's input.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { patience = 120, shown = 400, chunk = 1 << 20 };

static char **command;
static pid_t server;
static int to_server = -1, from_server = -1;

// What came from the server; a line of it is an answer.
static char *answer;
static size_t answer_length, answer_room;

static void fail(const char *what) {
  fprintf(stderr, "driver: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void make_pipe(int ends[2]) {
  if (pipe(ends) != 0) fail("pipe");
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

static void start(void) {
  int input[2], output[2];
  make_pipe(input);
  make_pipe(output);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  // The driver ignores these; a server must find them as a host leaves them.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  int status = posix_spawnp(&server, command[0], &actions, &attributes, command, environ);
  if (status != 0) {
    errno = status;
    fail(command[0]);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(input[0]);
  close(output[1]);
  to_server = input[1];
  from_server = output[0];
}

// Ends the server's input and returns its wait status. Ten seconds are enough for everyone.
static int stop(void) {
  if (server == 0) return 0;
  close(to_server);
  close(from_server);
  int status = 0;
  for (int tries = 0; waitpid(server, &status, WNOHANG) == 0; tries++) {
    if (tries == 20000) kill(server, SIGKILL);
    usleep(500);
  }
  server = 0;
  return status;
}

static void send_all(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = write(to_server, bytes, length);
    if (sent < 0 && errno == EINTR) continue;
    // A program that answers without reading may be gone already; its answer is what counts.
    if (sent < 0 && errno == EPIPE) return;
    if (sent < 0) fail("write to the server");
    bytes += sent;
    length -= (size_t)sent;
  }
}

// Reads once, behind what there is.
static size_t receive(void) {
  if (answer_room - answer_length < chunk) {
    answer_room = answer_room * 2 + 2 * chunk;
    answer = realloc(answer, answer_room);
    if (!answer) fail("realloc");
  }
  for (;;) {
    ssize_t got = read(from_server, answer + answer_length, chunk);
    if (got > 0) return (size_t)got;
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EPIPE;
    fail("read from the server");
  }
}

// One line, which is then all that `answer` has. Whoever sends one request at a time gets one line at a time.
static void receive_line(void) {
  answer_length = 0;
  for (;;) {
    size_t got = receive();
    char *end = memchr(answer + answer_length, '\n', got);
    answer_length += got;
    if (end) return;
  }
}

// What the report of an order is made of.
static int64_t *times;
static size_t time_count, byte_count, failed_count;
static char excerpt[shown];
static size_t excerpt_length;

static int has(const char *what) { return memmem(answer, answer_length, what, strlen(what)) != NULL; }

static void look_at_answer(void) {
  byte_count += answer_length;
  if (failed_count == 0) {
    excerpt_length = answer_length < shown ? answer_length : shown;
    memcpy(excerpt, answer, excerpt_length);
  }
  if (has("\"isError\":true") || has("\"error\":{")) failed_count++;
}

static void report(void) {
  printf("{\"ns\": [");
  for (size_t at = 0; at < time_count; at++) printf("%s%lld", at ? ", " : "", (long long)times[at]);
  printf("], \"bytes\": %zu, \"failed\": %zu, \"shown\": \"", byte_count, failed_count);
  for (size_t at = 0; at < excerpt_length; at++) {
    unsigned char byte = (unsigned char)excerpt[at];
    if (byte == '"' || byte == '\\') printf("\\%c", byte);
    else if (byte < 32) printf("\\u%04x", byte);
    else putchar(byte);
  }
  printf("\"}\n");
}

static void first(const char *line, size_t length) {
  int64_t before = now();
  start();
  send_all(line, length);
  receive_line();
  times[time_count++] = now() - before;
  look_at_answer();
  stop();
}

static void call(const char *line, size_t length, size_t pause) {
  if (pause > 0 && time_count > 0) {
    int64_t left = times[time_count - 1] / 100 * (int64_t)pause;
    nanosleep(&(struct timespec){left / 1000000000, left % 1000000000}, NULL);
  }
  int64_t before = now();
  send_all(line, length);
  receive_line();
  times[time_count++] = now() - before;
  look_at_answer();
}

static void burst(const char *bytes, size_t length, size_t answers) {
  fcntl(to_server, F_SETFL, fcntl(to_server, F_GETFL) | O_NONBLOCK);
  answer_length = 0;
  int64_t before = now();
  while (answers > 0) {
    struct pollfd ends[2] = {{from_server, POLLIN, 0}, {to_server, POLLOUT, 0}};
    if (poll(ends, length > 0 ? 2 : 1, -1) < 0 && errno != EINTR) fail("poll");
    if (length > 0 && ends[1].revents & POLLOUT) {
      ssize_t sent = write(to_server, bytes, length);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) fail("write to the server");
      if (sent > 0) {
        bytes += sent;
        length -= (size_t)sent;
      }
    }
    if (ends[0].revents & (POLLIN | POLLHUP)) {
      size_t got = receive();
      char *at = answer + answer_length, *end = at + got;
      while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        answers--;
        at++;
      }
      answer_length += got;
    }
  }
  times[time_count++] = now() - before;
  fcntl(to_server, F_SETFL, fcntl(to_server, F_GETFL) & ~O_NONBLOCK);
  // One report for all: any error in it counts once.
  look_at_answer();
}

// An order's lines, one after the other in one buffer; each with its newline.
struct lines {
  char *bytes;
  size_t *ends, count;
};

static struct lines read_lines(size_t count) {
  struct lines lines = {NULL, calloc(count, sizeof(size_t)), count};
  char *line = NULL;
  size_t room = 0, length = 0;
  for (size_t at = 0; at < count; at++) {
    ssize_t got = getline(&line, &room, stdin);
    if (got <= 0) fail("an order lacks its lines");
    lines.bytes = realloc(lines.bytes, length + (size_t)got);
    if (!lines.bytes) fail("realloc");
    memcpy(lines.bytes + length, line, (size_t)got);
    length += (size_t)got;
    lines.ends[at] = length;
  }
  free(line);
  return lines;
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: driver SERVER [ARGUMENT...]\n");
    return 2;
  }
  command = arguments + 1;
  signal(SIGPIPE, SIG_IGN);
  // An interruption is for whoever gives the orders; their end is ours.
  signal(SIGINT, SIG_IGN);
  char *order = NULL;
  size_t room = 0;
  while (getline(&order, &room, stdin) > 0) {
    alarm(patience);
    size_t number = 0, pause = 0;
    sscanf(order, "%*s %zu %zu", &number, &pause);
    free(times);
    times = calloc(number + 1, sizeof(int64_t));
    if (!times) fail("calloc");
    time_count = byte_count = failed_count = 0;
    if (!strncmp(order, "start", 5)) {
      start();
      printf("{\"pid\": %ld}\n", (long)server);
    } else if (!strncmp(order, "say ", 4)) {
      send_all(order + 4, strlen(order + 4));
      printf("{}\n");
    } else if (!strncmp(order, "stop", 4)) {
      printf("{\"status\": %d}\n", stop());
    } else {
      struct lines lines = read_lines(!strncmp(order, "first", 5) ? 1 : number);
      if (!strncmp(order, "burst", 5)) {
        burst(lines.bytes, lines.ends[number - 1], number);
      } else if (!strncmp(order, "first", 5)) {
        for (size_t at = 0; at < number; at++) first(lines.bytes, lines.ends[0]);
      } else {
        for (size_t at = 0, begin = 0; at < number; begin = lines.ends[at++]) {
          call(lines.bytes + begin, lines.ends[at] - begin, pause);
        }
      }
      free(lines.bytes);
      free(lines.ends);
      report();
    }
    fflush(stdout);
    alarm(0);
  }
  stop();
  return 0;
}
