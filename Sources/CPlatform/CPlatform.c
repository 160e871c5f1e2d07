#define _GNU_SOURCE
#include "CPlatform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <copyfile.h>
#include <TargetConditionals.h>
#include <pwd.h>
#include <sys/event.h>
#include <sys/mount.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#else
#include <malloc.h>
#include <sys/inotify.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#endif

/* ---- Files ---- */

int cplatform_openat(int folder, const char *path, int flags, uint32_t mode) {
  int system = O_CLOEXEC;
  if ((flags & CPLATFORM_READ) && (flags & CPLATFORM_WRITE)) system |= O_RDWR;
  else if (flags & CPLATFORM_WRITE) system |= O_WRONLY;
  else system |= O_RDONLY;
  if (flags & CPLATFORM_CREATE_NEW) system |= O_CREAT | O_EXCL;
  if (flags & CPLATFORM_DIRECTORY) system |= O_DIRECTORY;
  if (flags & CPLATFORM_NO_FOLLOW) system |= O_NOFOLLOW;
  if (flags & CPLATFORM_NON_BLOCKING) system |= O_NONBLOCK;
  return openat(folder, path, system, (mode_t)mode);
}

/* File systems keep times of millions of years. The ends of what is told leave room for the difference of any two. */
static int64_t nanoseconds(struct timespec time) {
  const int64_t most = INT64_C(4611686017);
  if (time.tv_sec > most) return most * 1000000000;
  if (time.tv_sec < -most) return -most * 1000000000;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fill_status(const struct stat *from, struct cplatform_status *to) {
  to->device = (uint64_t)from->st_dev;
  to->inode = (uint64_t)from->st_ino;
  to->links = (uint64_t)from->st_nlink;
  to->size = (int64_t)from->st_size;
#ifdef __APPLE__
  to->modified_nanoseconds = nanoseconds(from->st_mtimespec);
#else
  to->modified_nanoseconds = nanoseconds(from->st_mtim);
#endif
  to->mode = (uint32_t)from->st_mode & 07777;
  to->owner = (uint32_t)from->st_uid;
  to->group = (uint32_t)from->st_gid;
  if (S_ISREG(from->st_mode)) to->kind = CPLATFORM_KIND_FILE;
  else if (S_ISDIR(from->st_mode)) to->kind = CPLATFORM_KIND_DIRECTORY;
  else if (S_ISLNK(from->st_mode)) to->kind = CPLATFORM_KIND_LINK;
  else if (S_ISFIFO(from->st_mode)) to->kind = CPLATFORM_KIND_FIFO;
  else if (S_ISSOCK(from->st_mode)) to->kind = CPLATFORM_KIND_SOCKET;
  else if (S_ISCHR(from->st_mode) || S_ISBLK(from->st_mode)) to->kind = CPLATFORM_KIND_DEVICE;
  else to->kind = CPLATFORM_KIND_OTHER;
}

int cplatform_fstat(int descriptor, struct cplatform_status *status) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return -1;
  fill_status(&found, status);
  return 0;
}

int cplatform_fstatat(int folder, const char *name, struct cplatform_status *status) {
  struct stat found;
  if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  fill_status(&found, status);
  return 0;
}

int cplatform_fsync(int descriptor) {
#ifdef __APPLE__
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
  if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY && errno != ENODEV) return -1;
#endif
  return fsync(descriptor);
}

int cplatform_exchange(int folder, const char *first, const char *second) {
#ifdef __APPLE__
  return renameatx_np(folder, first, folder, second, RENAME_SWAP);
#else
  return renameat2(folder, first, folder, second, RENAME_EXCHANGE);
#endif
}

int cplatform_rename_no_replace(int old_folder, const char *old_name, int new_folder, const char *new_name) {
#ifdef __APPLE__
  return renameatx_np(old_folder, old_name, new_folder, new_name, RENAME_EXCL);
#else
  return renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE);
#endif
}

#ifdef __APPLE__
int cplatform_copy_extended_attributes(int from, int to) {
  return fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL);
}
#else
/* One attribute that cannot be read or set (a security label, say) does not keep the others from being copied. */
int cplatform_copy_extended_attributes(int from, int to) {
  ssize_t length = flistxattr(from, NULL, 0);
  if (length <= 0) return (int)length;
  char *names = malloc((size_t)length);
  if (names == NULL) return -1;
  length = flistxattr(from, names, (size_t)length);
  for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
    ssize_t size = fgetxattr(from, names + at, NULL, 0);
    if (size < 0) continue;
    char *value = malloc((size_t)size + 1);
    if (value == NULL) break;
    ssize_t read = fgetxattr(from, names + at, value, (size_t)size);
    if (read >= 0) (void)fsetxattr(to, names + at, value, (size_t)read, 0);
    free(value);
  }
  free(names);
  return length < 0 ? -1 : 0;
}
#endif

int cplatform_fstatfs(int descriptor, uint64_t *type, uint64_t *available_bytes) {
  struct statfs found;
  if (fstatfs(descriptor, &found) != 0) return -1;
  *type = (uint64_t)found.f_type;
  *available_bytes = (uint64_t)found.f_bavail * (uint64_t)found.f_bsize;
  return 0;
}

#ifdef __APPLE__
/* By a second descriptor: fdopendir takes its own over. */
int cplatform_list(int folder, void (*take)(void *context, const char *name), void *context) {
  int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  DIR *directory = fdopendir(descriptor);
  if (directory == NULL) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
  }
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(directory);
    if (entry == NULL) break;
    take(context, entry->d_name);
  }
  int error = errno;
  closedir(directory);
  errno = error;
  return error == 0 ? 0 : -1;
}
#else
/* By the call itself: opendir would open the folder once more, and ask what it is. Every look at the list comes here. */
int cplatform_list(int folder, void (*take)(void *context, const char *name), void *context) {
  if (lseek(folder, 0, SEEK_SET) < 0) return -1;
  _Alignas(struct dirent64) char entries[16 << 10];
  for (;;) {
    ssize_t filled = getdents64(folder, entries, sizeof entries);
    if (filled <= 0) return (int)filled;
    for (ssize_t place = 0; place < filled;) {
      struct dirent64 *entry = (struct dirent64 *)(entries + place);
      take(context, entry->d_name);
      place += entry->d_reclen;
    }
  }
}
#endif

int cplatform_dup_above_standard(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

int cplatform_fill_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    /* The lowest free number is this one: those below are open by now. */
    if (open("/dev/null", O_RDWR) < 0) return -1;
  }
  return 0;
}

int cplatform_poll(int descriptor, bool writing, int milliseconds) {
  struct pollfd watched = {.fd = descriptor, .events = writing ? POLLOUT : POLLIN, .revents = 0};
  return poll(&watched, 1, milliseconds);
}

int cplatform_pipe(int ends[2]) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return pipe2(ends, O_CLOEXEC);
#endif
}

/* ---- Watching ---- */

static int wait_for_stop(int stop, int milliseconds) {
  struct pollfd watched = {.fd = stop, .events = POLLIN, .revents = 0};
  int ready = poll(&watched, 1, milliseconds);
  return ready > 0 ? CPLATFORM_WATCH_STOPPED : ready;
}

#ifdef __APPLE__
static int add_event(int watch, int descriptor, int16_t filter, uint32_t notes) {
  struct kevent event;
  EV_SET(&event, (uintptr_t)descriptor, filter, EV_ADD | EV_CLEAR, notes, 0, NULL);
  return kevent(watch, &event, 1, NULL, 0, NULL);
}

int cplatform_watch_open(int stop) {
  int watch = kqueue();
  if (watch < 0) return -1;
  fcntl(watch, F_SETFD, FD_CLOEXEC);
  if (add_event(watch, stop, EVFILT_READ, 0) == 0) return watch;
  int error = errno;
  close(watch);
  errno = error;
  return -1;
}

int cplatform_watch_add(int watch, const char *path) {
  int descriptor = open(path, O_EVTONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (add_event(watch, descriptor, EVFILT_VNODE, NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME) == 0)
    return descriptor;
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int cplatform_watch_wait(int watch, int stop, int milliseconds) {
  if (watch < 0) return wait_for_stop(stop, milliseconds);
  struct timespec patience = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
  struct kevent event;
  int ready = kevent(watch, NULL, 0, &event, 1, &patience);
  if (ready <= 0) return ready;
  return event.filter == EVFILT_READ ? CPLATFORM_WATCH_STOPPED : CPLATFORM_WATCH_CHANGED;
}
#else
int cplatform_watch_open(int stop) {
  (void)stop;
  return inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
}

int cplatform_watch_add(int watch, const char *path) {
  uint32_t changes = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    | IN_DELETE_SELF | IN_MOVE_SELF;
  return inotify_add_watch(watch, path, changes) < 0 ? -1 : 0;
}

int cplatform_watch_wait(int watch, int stop, int milliseconds) {
  if (watch < 0) return wait_for_stop(stop, milliseconds);
  struct pollfd watched[2] = {{.fd = stop, .events = POLLIN}, {.fd = watch, .events = POLLIN}};
  int ready = poll(watched, 2, milliseconds);
  if (ready <= 0) return ready;
  return watched[0].revents != 0 ? CPLATFORM_WATCH_STOPPED : CPLATFORM_WATCH_CHANGED;
}
#endif

/* ---- Time, processes and the machine ---- */

#ifdef __APPLE__
static int64_t boot_microseconds(void) {
  struct timeval boot = {0, 0};
  size_t size = sizeof boot;
  int name[2] = {CTL_KERN, KERN_BOOTTIME};
  if (sysctl(name, 2, &boot, &size, NULL, 0) != 0) return 0;
  return (int64_t)boot.tv_sec * 1000000 + boot.tv_usec;
}

/* The system tells a process's start in wall clock time; uptime is measured on the same clock, so that their
 * difference is right although that clock is set now and then. */
uint64_t cplatform_uptime_nanoseconds(void) {
  struct timeval now = {0, 0};
  gettimeofday(&now, NULL);
  int64_t up = (int64_t)now.tv_sec * 1000000 + now.tv_usec - boot_microseconds();
  return up > 0 ? (uint64_t)up * 1000 : 0;
}

static int process_entry(int32_t pid, struct kinfo_proc *entry) {
  int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, pid};
  size_t size = sizeof *entry;
  if (sysctl(name, 4, entry, &size, NULL, 0) != 0) return -1;
  return size == 0 ? -1 : 0;
}

int cplatform_has_ended(int32_t pid) {
  struct kinfo_proc entry;
  if (process_entry(pid, &entry) != 0) return -1;
  return entry.kp_proc.p_stat == SZOMB;
}

int cplatform_process_start(int32_t pid, int64_t *unix_microseconds, uint64_t *uptime_nanoseconds) {
  struct kinfo_proc entry;
  if (process_entry(pid, &entry) != 0) return -1;
  struct timeval start = entry.kp_proc.p_starttime;
  *unix_microseconds = (int64_t)start.tv_sec * 1000000 + start.tv_usec;
  int64_t since_boot = *unix_microseconds - boot_microseconds();
  *uptime_nanoseconds = since_boot > 0 ? (uint64_t)since_boot * 1000 : 0;
  return 0;
}

#if TARGET_OS_OSX
int cplatform_machine_id(char *text, size_t capacity) {
  uuid_t id;
  struct timespec no_wait = {0, 0};
  if (gethostuuid(id, &no_wait) != 0) return -1;
  size_t length = 0;
  for (size_t at = 0; at < sizeof id && length + 2 < capacity; at++)
    length += (size_t)snprintf(text + length, capacity - length, "%02x", id[at]);
  return 0;
}
#else
int cplatform_machine_id(char *text, size_t capacity) {
  return gethostname(text, capacity); /* gethostuuid is not there on a phone */
}
#endif

int cplatform_boot_id(char *text, size_t capacity) {
  size_t size = capacity;
  return sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0);
}

int cplatform_user_home(char *text, size_t capacity) {
  struct passwd *user = getpwuid(geteuid());
  if (user == NULL || user->pw_dir == NULL) return -1;
  return strlcpy(text, user->pw_dir, capacity) < capacity ? 0 : -1;
}
#else
uint64_t cplatform_uptime_nanoseconds(void) {
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
#endif

/* ---- Threads and signals ---- */

struct thread {
  char name[16];
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *argument) {
  struct thread thread = *(struct thread *)argument;
  free(argument);
#ifdef __APPLE__
  pthread_setname_np(thread.name);
#else
  pthread_setname_np(pthread_self(), thread.name);
#endif
  thread.body(thread.context);
  return NULL;
}

int cplatform_thread_start(const char *name, void (*body)(void *), void *context) {
  struct thread *thread = calloc(1, sizeof *thread);
  if (thread == NULL) return ENOMEM;
  strncpy(thread->name, name, sizeof thread->name - 1);
  thread->body = body;
  thread->context = context;
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    pthread_t started;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&started, &attributes, run_thread, thread);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) free(thread);
  return error;
}

#ifdef __APPLE__
int cplatform_condition_init(pthread_cond_t *condition) {
  return pthread_cond_init(condition, NULL);
}

int cplatform_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline_nanoseconds) {
  uint64_t now = clock_gettime_nsec_np(CLOCK_MONOTONIC);
  if (now >= deadline_nanoseconds) return ETIMEDOUT;
  uint64_t rest = deadline_nanoseconds - now;
  struct timespec relative = {(time_t)(rest / 1000000000u), (long)(rest % 1000000000u)};
  return pthread_cond_timedwait_relative_np(condition, mutex, &relative);
}
#else
int cplatform_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  int error = pthread_condattr_init(&attributes);
  if (error != 0) return error;
  error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (error == 0) error = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return error;
}

int cplatform_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline_nanoseconds) {
  struct timespec deadline = {
    (time_t)(deadline_nanoseconds / 1000000000u), (long)(deadline_nanoseconds % 1000000000u)};
  return pthread_cond_timedwait(condition, mutex, &deadline);
}
#endif

static void fill_signals(sigset_t *set, const int *signals, size_t count) {
  sigemptyset(set);
  for (size_t at = 0; at < count; at++) sigaddset(set, signals[at]);
}

int cplatform_block_signals(const int *signals, size_t count) {
  sigset_t set;
  fill_signals(&set, signals, count);
  return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int cplatform_wait_for_signal(const int *signals, size_t count, int *received) {
  sigset_t set;
  fill_signals(&set, signals, count);
  return sigwait(&set, received);
}

void cplatform_ignore_signal(int number) {
  signal(number, SIG_IGN);
}

void cplatform_share_heap(void) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
  /* Said once, it no longer grows with what is freed: a large list is given back. */
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  /* What an edit of a usual list takes is kept for the next: new pages cost more than what is done with them. */
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}
