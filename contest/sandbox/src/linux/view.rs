//! The file system that a program sees.

use std::ffi::{CString, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use language::{Note, Phrase};
use rustix::fs::CWD;
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, UnmountFlags, mount, mount_bind,
    mount_bind_recursive, mount_change, mount_remount, move_mount, unmount,
};

use crate::gap::Protection;
use crate::linux::wire::{Cause, Failure, Job, Step};

/// Folders of the system that a program sees, if they exist.
pub(crate) const SYSTEM: &[&str] = &[
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu",
];
/// The only folder where a program may write, besides shared memory.
pub(crate) const SCRATCH: &str = "/tmp";
const SHARED_MEMORY: &str = "/dev/shm";
/// Size of the shared memory, in bytes.
const SHARED: u64 = 16 << 20;
/// Size in bytes of the scratch folder for each allowed file.
const FILE: u64 = 4096;
/// The devices in `/dev` that a program may use.
pub(crate) const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// Folders on which the new root can be built; their content is hidden by it.
const BASES: [&str; 3] = ["/sys", "/mnt", "/srv"];

const WHAT: Phrase = Phrase::new("the file system of a program", "les fichiers d'un programme");
const STEP: Cause = Cause::Protection(Protection::Namespaces);

/// Builds the file system in the mount namespace of this process, and makes it the root. `mounts` are the mounts of the
/// first folders of the job; the other folders are looked up by path.
pub(crate) fn build(job: &Job, mounts: Vec<OwnedFd>) -> Result<(), Failure> {
    let is_free =
        |base: &&Path| base.is_dir() && !job.folders.iter().any(|folder| folder.starts_with(base));
    let base = BASES.into_iter().map(Path::new).find(is_free);
    let base = base.ok_or_else(|| io::Error::from_raw_os_error(libc::ENOENT)).step(STEP, WHAT)?;
    mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)
        .step(STEP, WHAT)?;
    tmpfs(base, "size=1m,mode=755").step(STEP, WHAT)?;
    system(base).step(STEP, WHAT)?;
    proc(base, job.has(Protection::OwnProc))?;
    devices(base).in_namespaces("the devices of a program", "les appareils d'un programme")?;
    let scratch = below(base, Path::new(SCRATCH));
    // The kernel takes a size of 0 for no limit.
    let size = job.limits.scratch.max(FILE);
    let options = format!("size={size},nr_inodes={},mode=755", size / FILE + 64);
    tmpfs(&scratch, &options).in_namespaces(
        "the scratch folder of a program",
        "le dossier de brouillon d'un programme",
    )?;
    for (path, layer) in layers(job, mounts) {
        match layer {
            Layer::Hidden => hide(base, path).in_namespaces(
                "a file that is hidden from programs",
                "un fichier caché aux programmes",
            )?,
            Layer::Shown(mount) => {
                place(base, path, mount)
                    .step(Cause::Program, Note::same(path.to_string_lossy()))?;
            }
        }
    }
    rustix::process::chdir(base).step(STEP, WHAT)?;
    rustix::process::pivot_root(".", ".").step(STEP, WHAT)?;
    unmount(".", UnmountFlags::DETACH).step(STEP, WHAT)?;
    rustix::process::chdir("/").step(STEP, WHAT)?;
    make_read_only(&job.hidden)
        .in_namespaces("a read-only file system", "des fichiers en lecture seule")
}

/// The treatment of a path in the view.
enum Layer {
    /// The folder is visible; the mount is looked up by path if it is not given.
    Shown(Option<OwnedFd>),
    Hidden,
}

/// The folders and the hidden paths of a job, inner ones last, so that these decide.
fn layers(job: &Job, mounts: Vec<OwnedFd>) -> Vec<(&Path, Layer)> {
    let mounts = mounts.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
    let shown = job.folders.iter().zip(mounts).filter(|(folder, _)| !is_system(folder, job));
    let shown = shown.map(|(folder, mount)| (folder.as_path(), Layer::Shown(mount)));
    let hidden = job.hidden.iter().map(|path| (path.as_path(), Layer::Hidden));
    let mut layers: Vec<_> = shown.chain(hidden).collect();
    layers.sort_by_key(|(path, _)| *path);
    layers
}

/// Tests if a folder is visible as a part of the system.
fn is_system(folder: &Path, job: &Job) -> bool {
    let is_covered = job.hidden.iter().any(|hidden| folder.starts_with(hidden));
    let is_part = |system: &&str| folder.starts_with(system) && !Path::new(system).is_symlink();
    SYSTEM.iter().any(is_part) && !is_covered
}

fn system(base: &Path) -> io::Result<()> {
    for path in SYSTEM.iter().map(Path::new) {
        let target = below(base, path);
        if let Ok(to) = fs::read_link(path) {
            symlink(to, target)?;
        } else if path.is_dir() {
            fs::create_dir(&target)?;
            mount_bind_recursive(path, &target)?;
        }
    }
    Ok(())
}

fn proc(base: &Path, own: bool) -> Result<(), Failure> {
    let (cause, what) = (
        Cause::Protection(Protection::OwnProc),
        Phrase::new("a /proc of its own", "un /proc à lui"),
    );
    let target = below(base, Path::new("/proc"));
    fs::create_dir(&target).step(cause, what)?;
    if own {
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        mount("proc", &target, "proc", flags, None).step(cause, what)
    } else {
        mount_bind_recursive("/proc", &target).step(STEP, WHAT)
    }
}

fn devices(base: &Path) -> io::Result<()> {
    let folder = below(base, Path::new("/dev"));
    fs::create_dir(&folder)?;
    for device in DEVICES {
        let target = folder.join(device);
        File::create(&target)?;
        mount_bind(Path::new("/dev").join(device), &target)?;
    }
    symlink("/proc/self/fd", folder.join("fd"))?;
    for (number, name) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
        symlink(format!("/proc/self/fd/{number}"), folder.join(name))?;
    }
    tmpfs(&below(base, Path::new(SHARED_MEMORY)), &format!("size={SHARED},nr_inodes=1k,mode=755"))
}

fn tmpfs(target: &Path, options: &str) -> io::Result<()> {
    fs::create_dir_all(target)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("tmpfs", target, "tmpfs", flags, &*CString::new(options)?)?)
}

fn place(base: &Path, folder: &Path, mount: Option<OwnedFd>) -> io::Result<()> {
    let target = below(base, folder);
    fs::create_dir_all(&target)?;
    match mount {
        Some(mount) => {
            move_mount(mount.as_fd(), "", CWD, &target, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
        }
        None => mount_bind_recursive(folder, &target)?,
    }
    // Fails before the start of the program if the folder cannot be read.
    fs::read_dir(&target).map(drop)
}

/// Covers a file with `/dev/null`, and a folder with an empty folder.
fn hide(base: &Path, path: &Path) -> io::Result<()> {
    let target = below(base, path);
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => tmpfs(&target, "size=4k,mode=755"),
        Ok(_) => Ok(mount_bind("/dev/null", &target)?),
        // A path that does not exist needs no cover.
        Err(_) => Ok(()),
    }
}

/// Makes every mount read-only except the writable folders and `/proc`. Mounts below hidden folders cannot be reached.
fn make_read_only(hidden: &[PathBuf]) -> io::Result<()> {
    let mounts = fs::read("/proc/self/mountinfo")?;
    for line in mounts.split(|&byte| byte == b'\n') {
        let mut fields = line.split(|&byte| byte == b' ').skip(4);
        let (Some(path), Some(options)) = (fields.next(), fields.next()) else { continue };
        let path = unescape(path);
        if path.starts_with("/proc")
            || path == Path::new(SCRATCH)
            || path == Path::new(SHARED_MEMORY)
        {
            continue;
        }
        let mut flags = kept(options) | MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID;
        if !path.starts_with("/dev") {
            flags |= MountFlags::NODEV;
        }
        match mount_remount(&path, flags, "") {
            Err(Errno::NOENT | Errno::INVAL) if hidden.iter().any(|it| path.starts_with(it)) => {}
            made => made?,
        }
    }
    Ok(())
}

/// The flags of a mount, which a new user namespace must not remove.
fn kept(options: &[u8]) -> MountFlags {
    let flag = |option: &[u8]| match option {
        b"nosuid" => MountFlags::NOSUID,
        b"nodev" => MountFlags::NODEV,
        b"noexec" => MountFlags::NOEXEC,
        b"noatime" => MountFlags::NOATIME,
        b"nodiratime" => MountFlags::NODIRATIME,
        b"relatime" => MountFlags::RELATIME,
        _ => MountFlags::empty(),
    };
    options.split(|&byte| byte == b',').map(flag).collect()
}

/// Decodes a path of the kernel's list of mounts, in which spaces and similar characters are octal numbers.
fn unescape(path: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&first, tail)) = rest.split_first() {
        let octal = (first == b'\\').then(|| tail.get(..3)).flatten();
        let octal = octal.and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            bytes.push(byte);
            rest = &tail[3..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    PathBuf::from(OsString::from_vec(bytes))
}

fn below(base: &Path, path: &Path) -> PathBuf {
    base.join(path.strip_prefix("/").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_spaces_are_read() {
        assert_eq!(unescape(br"/a\040b\134c"), Path::new(r"/a b\c"));
        assert_eq!(unescape(br"/a\9\04"), Path::new(r"/a\9\04"));
    }
}
