//! Control groups: limits of all processes of a program together, of either version.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use language::Note;

use crate::gap::{Gap, Protection};
use crate::linux::hierarchy;
use crate::linux::meter::Meter;
use crate::program::Limits;

/// Maximum memory in bytes of the buffers of sockets in a group of version 1, in addition to the memory of the program.
const SOCKETS: u64 = 32 << 20;
/// Number of processes of the sandbox itself that count too: the launcher and the supervisor.
pub(crate) const OWN_PROCESSES: u32 = 2;
/// Prefix of the names of groups; the process id of the organiser follows.
const PREFIX: &str = "pacman-";
/// Attempts to remove a group, which fails until the kernel has released its last process.
const ATTEMPTS: u32 = 200;
const PAUSE: Duration = Duration::from_millis(1);

/// The folders in which groups of programs are created, for each purpose.
#[derive(Debug, Default)]
pub(crate) struct Groups(BTreeMap<Protection, GroupFolder>);

/// The folder of a control group, in one of the two versions of the interface.
#[derive(Clone, Debug)]
pub(crate) struct GroupFolder {
    pub path: PathBuf,
    pub unified: bool,
}

/// The groups of one program. Dropping this value removes them; no process may be left in them.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub meter: Meter,
}

impl Groups {
    /// Finds the hierarchies in which this process may create groups, and the gaps for the others.
    pub(crate) fn find() -> (Self, Vec<Gap>) {
        let (mut groups, mut gaps) = (Self::default(), Vec::new());
        for (protection, found) in hierarchy::find() {
            match found.and_then(|folder| try_out(&folder.path).map(|()| folder)) {
                Ok(folder) => {
                    remove_left(&folder.path);
                    groups.0.insert(protection, folder);
                }
                Err(why) => gaps.push(Gap { protection, why }),
            }
        }
        (groups, gaps)
    }

    pub(crate) fn count_processes(&self) -> bool {
        self.0.contains_key(&Protection::ProcessCount)
    }

    pub(crate) fn forget(&mut self, protection: Protection) {
        self.0.remove(&protection);
    }

    pub(crate) fn create(&self, limits: &Limits) -> io::Result<Group> {
        let name = new_name();
        let mut group = Group::default();
        for (&purpose, GroupFolder { path, unified }) in &self.0 {
            let path = path.join(&name);
            match fs::create_dir(&path) {
                // In a unified hierarchy, one folder serves several purposes.
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => group.meter.0.insert(purpose, GroupFolder { path, unified: *unified }),
            };
        }
        group.limit(limits)?;
        Ok(group)
    }
}

impl Group {
    fn limit(&self, limits: &Limits) -> io::Result<()> {
        if let (Some(folder), Some(bytes)) = (self.folder(Protection::TotalMemory), limits.memory) {
            // Version 2 counts swap alone, version 1 swap and memory together. A kernel without swap has no such file.
            if folder.unified {
                folder.write("memory.max", bytes)?;
                let _ = folder.write("memory.swap.max", 0);
            } else {
                folder.write("memory.limit_in_bytes", bytes)?;
                let _ = folder.write("memory.memsw.limit_in_bytes", bytes);
                // Version 1 counts the buffers of TCP and UDP sockets apart from other memory, and only with a limit. A kernel
                // that cannot count them has no such file.
                let _ = folder.write("memory.kmem.tcp.limit_in_bytes", bytes.min(SOCKETS));
            }
        }
        if let (Some(folder), Some(count)) =
            (self.folder(Protection::ProcessCount), limits.processes)
        {
            folder.write("pids.max", count.saturating_add(OWN_PROCESSES).into())?;
        }
        Ok(())
    }

    fn folder(&self, purpose: Protection) -> Option<&GroupFolder> {
        self.meter.0.get(&purpose)
    }

    /// The groups of version 1, and the purpose of each.
    pub(crate) fn legacy(&self) -> Vec<(Protection, PathBuf)> {
        self.folders(false).collect()
    }

    /// The group of version 2, with the first of its purposes; version 2 has a single hierarchy.
    pub(crate) fn unified(&self) -> Option<(Protection, PathBuf)> {
        self.folders(true).next()
    }

    fn folders(&self, unified: bool) -> impl Iterator<Item = (Protection, PathBuf)> {
        let folders = self.meter.0.iter().filter(move |(_, folder)| folder.unified == unified);
        folders.map(|(&purpose, folder)| (purpose, folder.path.clone()))
    }

    /// The file that [`cpu_in`](crate::linux::meter::cpu_in) reads.
    pub(crate) fn cpu_file(&self) -> Option<PathBuf> {
        let folder = self.folder(Protection::CpuAccounting)?;
        Some(folder.path.join(folder.cpu_file()))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in self.meter.0.values() {
            for _ in 0..ATTEMPTS {
                match fs::remove_dir(&folder.path) {
                    Err(error) if error.kind() == ErrorKind::ResourceBusy => thread::sleep(PAUSE),
                    _ => break,
                }
            }
        }
    }
}

impl GroupFolder {
    pub(crate) fn write(&self, file: &str, value: u64) -> io::Result<()> {
        fs::write(self.path.join(file), value.to_string())
    }

    pub(crate) fn read(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.path.join(file)).ok()
    }

    /// The name of the file with the processor time of the group.
    pub(crate) fn cpu_file(&self) -> &'static str {
        if self.unified { "cpu.stat" } else { "cpuacct.usage" }
    }
}

/// Removes the groups of killed organisers. A group with processes cannot be removed.
fn remove_left(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
        let owner = owner.and_then(|(process, _)| process.parse::<u32>().ok());
        if owner.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// A unique name for a group.
fn new_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{number}", std::process::id())
}

/// Checks that a group can be created in `folder`.
fn try_out(folder: &Path) -> Result<(), Note> {
    let trial = folder.join(new_name());
    fs::create_dir(&trial).and_then(|()| fs::remove_dir(&trial)).map_err(|error| {
        let folder = folder.display();
        Note::new(
            format!("no control group in {folder}"),
            format!("pas de groupe de contrôle dans {folder}"),
        )
        .because(&(&error).into())
    })
}
