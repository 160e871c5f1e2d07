/* What Swift cannot call by itself, or would have to spell differently on Linux and on Apple systems.
 *
 * Swift's importer leaves out variadic functions (open, fcntl), what needs _GNU_SOURCE (renameat2) and most macros
 * (S_ISREG, SIG_IGN), and the layout of struct stat is not the same everywhere. Each function here does one thing
 * with fixed-width types, so that Platform has one path for both systems.
 *
 * Unless said otherwise a function returns -1 (or NULL) and sets errno when it fails, as the call it wraps does. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Files ---- */

#define CPLATFORM_READ 1
#define CPLATFORM_WRITE 2
#define CPLATFORM_CREATE_NEW 4    /* O_CREAT|O_EXCL */
#define CPLATFORM_DIRECTORY 8     /* O_DIRECTORY */
#define CPLATFORM_NO_FOLLOW 16    /* O_NOFOLLOW */
#define CPLATFORM_NON_BLOCKING 32 /* O_NONBLOCK */

/* openat with the flags above and O_CLOEXEC. */
int cplatform_openat(int folder, const char *path, int flags, uint32_t mode);

#define CPLATFORM_KIND_OTHER 0
#define CPLATFORM_KIND_FILE 1
#define CPLATFORM_KIND_DIRECTORY 2
#define CPLATFORM_KIND_LINK 3
#define CPLATFORM_KIND_FIFO 4
#define CPLATFORM_KIND_SOCKET 5
#define CPLATFORM_KIND_DEVICE 6

struct cplatform_status {
  uint64_t device, inode, links;
  int64_t size;                 /* bytes */
  int64_t modified_nanoseconds; /* Unix time */
  uint32_t mode;                /* the permission bits, 07777 */
  uint32_t owner, group;
  int kind;                     /* CPLATFORM_KIND_… */
};

int cplatform_fstat(int descriptor, struct cplatform_status *status);
int cplatform_fstatat(int folder, const char *name, struct cplatform_status *status); /* follows no link */

/* fsync, on Apple systems with F_FULLFSYNC where the file system takes it: plain fsync there leaves the bytes in the
 * drive's cache. */
int cplatform_fsync(int descriptor);

/* Swaps two names of one folder in one step: renameat2(RENAME_EXCHANGE), renameatx_np(RENAME_SWAP). */
int cplatform_exchange(int folder, const char *first, const char *second);

/* Renames unless the new name exists (EEXIST): RENAME_NOREPLACE, RENAME_EXCL. */
int cplatform_rename_no_replace(int old_folder, const char *old_name, int new_folder, const char *new_name);

/* Gives the second file the extended attributes of the first. What is not allowed is passed over. */
int cplatform_copy_extended_attributes(int from, int to);

/* What kind of file system, by the number that the system gives it, and what is free on it for this user. */
int cplatform_fstatfs(int descriptor, uint64_t *type, uint64_t *available_bytes);

/* Hands over each name in the folder, "." and ".." among them. Nobody else may read names by this descriptor meanwhile. */
int cplatform_list(int folder, void (*take)(void *context, const char *name), void *context);

/* The next descriptor from 3 on, a copy of this one that is closed on exec. */
int cplatform_dup_above_standard(int descriptor);
/* Opens /dev/null for each of 0, 1 and 2 that is closed, so that no file ever gets their number. */
int cplatform_fill_standard_descriptors(void);

/* Waits for the descriptor to take or have bytes; 1 when it does (or failed: the next call tells), 0 at the end of
 * the time (below 0: no end). */
int cplatform_poll(int descriptor, bool writing, int milliseconds);

/* Two descriptors, closed on exec: what is written to the second is read from the first. */
int cplatform_pipe(int ends[2]);

/* ---- Watching ----
 * inotify on Linux, kqueue on Apple systems. Neither says more here than "something changed, look". */

/* What the waits below tell. */
#define CPLATFORM_WATCH_TIMED_OUT 0
#define CPLATFORM_WATCH_CHANGED 1
#define CPLATFORM_WATCH_STOPPED 2

/* A watch that waits end also when `stop`, the reading end of a pipe, has no other end any more. */
int cplatform_watch_open(int stop);
/* Has changes of a folder's names, or of a file, end the waits. Returns a descriptor that is to be closed together with
 * the watch, or 0 where the system needs none. */
int cplatform_watch_add(int watch, const char *path);
/* Waits for a change, for the other end of `stop` to be closed, or for so many milliseconds. Without a watch (-1) only for
 * the other two. */
int cplatform_watch_wait(int watch, int stop, int milliseconds);

/* ---- Time ---- */

uint64_t cplatform_uptime_nanoseconds(void); /* since boot, the time asleep included */

/* ---- Processes and the machine: Apple systems; on Linux Swift reads /proc and /etc ---- */

#ifdef __APPLE__
/* 1 when the process has ended and waits to be collected, 0 when it runs, -1 when it is not known. */
int cplatform_has_ended(int32_t pid);
/* When the process started: Unix time in microseconds, and how long after boot that was. */
int cplatform_process_start(int32_t pid, int64_t *unix_microseconds, uint64_t *uptime_nanoseconds);
/* Each writes a text of at most capacity - 1 bytes. */
int cplatform_machine_id(char *text, size_t capacity);
int cplatform_boot_id(char *text, size_t capacity);
int cplatform_user_home(char *text, size_t capacity);
#endif

/* ---- Threads and signals ---- */

/* The errors of these are returned, not set: 0 is success. */
int cplatform_thread_start(const char *name, void (*body)(void *), void *context);
int cplatform_condition_init(pthread_cond_t *condition);
/* Waits until signalled or until the monotonic time; ETIMEDOUT then. */
int cplatform_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline_nanoseconds);
int cplatform_block_signals(const int *signals, size_t count);
int cplatform_wait_for_signal(const int *signals, size_t count, int *received);
void cplatform_ignore_signal(int signal);
/* Has all threads allocate from one heap, where the C library has one for each, and what is large given back to the system
 * as soon as it is freed. To be called before the first thread. */
void cplatform_share_heap(void);

#endif
