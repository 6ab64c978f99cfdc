/* Keeps beside each file what a power loss would leave of it: its content at its last fsync or fdatasync.

   Loaded into the service with LD_PRELOAD. UNSYNCED_ROOT is the folder that is watched, UNSYNCED_SHADOW the one that
   gets a file per inode: the durable image. Written ranges and cuts are noted until the next sync of the file, whose
   copy then goes into the image. What a name refers to (create, link, rename, delete) counts as durable at once; a file
   that was never synced has no image, and so comes back empty. Memory maps are not seen: SQLite maps only its -shm
   file, which means nothing after a loss. The loss itself is power.py's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FDS 65536
#define PIECE 65536

typedef struct Range { off_t from, to; struct Range *next; } Range;
typedef struct File { ino_t inode; off_t cut; Range *written; struct File *next; } File;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static File *files;
static ino_t watched[FDS]; /* by descriptor; 0: not watched */
static char root[4096], shadow[4096];
static size_t root_length;

/* The system's own function; looked up once. */
#define REAL(name)                                       \
    ({                                                   \
        static __typeof__(&name) found;                  \
        if (found == NULL) found = real(#name);          \
        found;                                           \
    })

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) abort();
    return found;
}

__attribute__((constructor)) static void begin(void) {
    const char *from = getenv("UNSYNCED_ROOT"), *to = getenv("UNSYNCED_SHADOW");
    if (from == NULL || to == NULL || realpath(to, shadow) == NULL || realpath(from, root) == NULL) return;
    root_length = strlen(root);
}

static int is_inside(const char *path) {
    size_t length = strlen(path);
    if (root_length == 0 || strncmp(path, root, root_length) != 0 || path[root_length] != '/') return 0;
    return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

static void image_of(ino_t inode, char *path) { snprintf(path, 4200, "%s/%lu", shadow, (unsigned long)inode); }

static File *file_of(ino_t inode) {
    for (File *file = files; file != NULL; file = file->next)
        if (file->inode == inode) return file;
    File *made = calloc(1, sizeof *made);
    made->inode = inode;
    made->cut = -1;
    made->next = files;
    files = made;
    return made;
}

static ino_t inode_of(int fd) { return fd >= 0 && fd < FDS ? watched[fd] : 0; }

static void watch(int fd, int flags) {
    char link[64], path[4096];
    struct stat about;
    if (fd < 0 || fd >= FDS || root_length == 0) return;
    watched[fd] = 0;
    if ((flags & O_ACCMODE) == O_RDONLY) return;
    int error = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        if (is_inside(path) && fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
            pthread_mutex_lock(&lock);
            watched[fd] = about.st_ino;
            File *file = file_of(about.st_ino);
            if (flags & O_TRUNC) file->cut = 0;
            pthread_mutex_unlock(&lock);
        }
    }
    errno = error;
}

static void note_write(int fd, off_t from, ssize_t count) {
    ino_t inode = inode_of(fd);
    if (inode == 0 || count <= 0) return;
    pthread_mutex_lock(&lock);
    File *file = file_of(inode);
    Range *last = file->written;
    if (last != NULL && last->to == from) {
        last->to = from + count;
    } else {
        Range *range = malloc(sizeof *range);
        *range = (Range){from, from + count, last};
        file->written = range;
    }
    pthread_mutex_unlock(&lock);
}

static void note_cut(int fd, off_t length) {
    ino_t inode = inode_of(fd);
    if (inode == 0) return;
    pthread_mutex_lock(&lock);
    File *file = file_of(inode);
    if (file->cut < 0 || length < file->cut) file->cut = length;
    pthread_mutex_unlock(&lock);
}

/* The noted ranges as they stand now go into the image. Called under the lock. */
static void keep(int fd, File *file) {
    static char piece[PIECE];
    char path[4200];
    struct stat about;
    image_of(file->inode, path);
    int image = REAL(open)(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int source;
    char again[64];
    snprintf(again, sizeof again, "/proc/self/fd/%d", fd); /* the descriptor itself may be for writing alone */
    source = REAL(open)(again, O_RDONLY | O_CLOEXEC);
    if (image < 0 || source < 0) abort();
    if (file->cut >= 0 && ftruncate(image, file->cut) != 0) abort();
    for (Range *range = file->written; range != NULL;) {
        for (off_t at = range->from; at < range->to;) {
            size_t wanted = range->to - at < PIECE ? (size_t)(range->to - at) : PIECE;
            ssize_t got = pread(source, piece, wanted, at);
            if (got <= 0) break; /* cut off since */
            if (REAL(pwrite)(image, piece, got, at) != got) abort();
            at += got;
        }
        Range *done = range;
        range = range->next;
        free(done);
    }
    if (fstat(source, &about) != 0 || REAL(ftruncate)(image, about.st_size) != 0) abort();
    file->written = NULL;
    file->cut = -1;
    REAL(close)(source);
    REAL(close)(image);
}

/* The kill alone loses no page of the system's cache, so the disk itself need not be waited for. */
static int sync_file(int fd) {
    ino_t inode = inode_of(fd);
    if (inode == 0) return 1;
    pthread_mutex_lock(&lock);
    keep(fd, file_of(inode));
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int fd) { return sync_file(fd) == 0 ? 0 : REAL(fsync)(fd); }
int fdatasync(int fd) { return sync_file(fd) == 0 ? 0 : REAL(fdatasync)(fd); }

#define OPEN(name)                                   \
    int name(const char *path, int flags, ...) {     \
        va_list more;                                \
        va_start(more, flags);                       \
        mode_t mode = va_arg(more, mode_t);          \
        va_end(more);                                \
        int fd = REAL(name)(path, flags, mode);      \
        watch(fd, flags);                            \
        return fd;                                   \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                          \
    int name(int folder, const char *path, int flags, ...) {  \
        va_list more;                                         \
        va_start(more, flags);                                \
        mode_t mode = va_arg(more, mode_t);                   \
        va_end(more);                                         \
        int fd = REAL(name)(folder, path, flags, mode);       \
        watch(fd, flags);                                     \
        return fd;                                            \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    if (fd >= 0 && fd < FDS) watched[fd] = 0;
    return REAL(close)(fd);
}

ssize_t write(int fd, const void *data, size_t count) {
    ssize_t done = REAL(write)(fd, data, count);
    if (inode_of(fd) != 0) note_write(fd, lseek(fd, 0, SEEK_CUR) - done, done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t at) {
    ssize_t done = REAL(pwrite)(fd, data, count, at);
    note_write(fd, at, done);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t count, off64_t at) {
    ssize_t done = REAL(pwrite64)(fd, data, count, at);
    note_write(fd, at, done);
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    ssize_t done = REAL(writev)(fd, parts, count);
    if (inode_of(fd) != 0) note_write(fd, lseek(fd, 0, SEEK_CUR) - done, done);
    return done;
}

int ftruncate(int fd, off_t length) {
    note_cut(fd, length);
    return REAL(ftruncate)(fd, length);
}

int ftruncate64(int fd, off64_t length) {
    note_cut(fd, length);
    return REAL(ftruncate64)(fd, length);
}

/* The number of a deleted file may be given to a new one, which must not get its image. */
static void forget(const struct stat *about) {
    char path[4200];
    if (root_length == 0 || !S_ISREG(about->st_mode) || about->st_nlink > 1) return;
    image_of(about->st_ino, path);
    pthread_mutex_lock(&lock);
    REAL(unlink)(path);
    File *file = file_of(about->st_ino);
    file->cut = 0;
    while (file->written != NULL) {
        Range *done = file->written;
        file->written = done->next;
        free(done);
    }
    pthread_mutex_unlock(&lock);
}

int unlink(const char *path) {
    struct stat about;
    int is_known = root_length != 0 && strncmp(path, root, root_length) == 0 && lstat(path, &about) == 0;
    int result = REAL(unlink)(path);
    if (result == 0 && is_known) forget(&about);
    return result;
}

int rename(const char *from, const char *to) {
    struct stat about;
    int is_known = root_length != 0 && strncmp(to, root, root_length) == 0 && lstat(to, &about) == 0;
    int result = REAL(rename)(from, to);
    if (result == 0 && is_known) forget(&about);
    return result;
}
