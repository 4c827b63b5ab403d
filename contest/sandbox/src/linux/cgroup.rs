//! Control groups: limits and measures of all processes of a program together, of either version.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use language::Note;

use crate::gap::{Gap, Protection};
use crate::linux::hierarchy::{self, Hierarchies};
use crate::linux::meter::Meter;
use crate::program::{Exceeded, Limits};

/// Maximum memory in bytes of the buffers of sockets in a group of version 1, in addition to the memory of the program.
const SOCKETS: u64 = 32 << 20;
/// Number of processes of the sandbox itself that count too: the launcher and the supervisor.
pub(crate) const OWN_PROCESSES: u32 = 2;
/// Prefix of the names of groups; the process id of the organiser follows.
const PREFIX: &str = "pacman-";
/// Attempts to remove a group, which fails until the kernel has released its last process.
const ATTEMPTS: u32 = 200;
const PAUSE: Duration = Duration::from_millis(1);

/// The folders in which groups of programs are created.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    memory: Option<Place>,
    pids: Option<Place>,
    cpu: Option<Place>,
    share: Option<Place>,
}

/// A folder of groups, in one of the two versions of the interface.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub folder: PathBuf,
    pub unified: bool,
}

/// The groups of one program. Dropping this value removes them, with the processes in them.
#[derive(Debug, Default)]
pub(crate) struct Group {
    memory: Option<Place>,
    pids: Option<Place>,
    cpu: Option<Place>,
    share: Option<Place>,
}

impl Groups {
    /// Finds the hierarchies in which this process may create groups, and the gaps for the others.
    pub(crate) fn find() -> (Self, Vec<Gap>) {
        let Hierarchies { memory, pids, cpu, share } = hierarchy::find();
        let mut gaps = Vec::new();
        let mut usable = |protection, place: Result<Place, Note>| match place
            .and_then(|place| try_out(&place.folder).map(|()| place))
        {
            Ok(place) => Some(place),
            Err(why) => {
                gaps.push(Gap { protection, why });
                None
            }
        };
        let memory = usable(Protection::TotalMemory, memory);
        let pids = usable(Protection::ProcessCount, pids);
        let cpu = usable(Protection::CpuAccounting, cpu);
        let share = usable(Protection::CpuShare, share);
        for place in [&memory, &pids, &cpu, &share].into_iter().flatten() {
            remove_left(&place.folder);
        }
        (Self { memory, pids, cpu, share }, gaps)
    }

    /// Tests if processes are counted.
    pub(crate) fn count_processes(&self) -> bool {
        self.pids.is_some()
    }

    /// Gives up a protection.
    pub(crate) fn forget(&mut self, protection: Protection) {
        match protection {
            Protection::TotalMemory => self.memory = None,
            Protection::ProcessCount => self.pids = None,
            Protection::CpuAccounting => self.cpu = None,
            Protection::CpuShare => self.share = None,
            _ => {}
        }
    }

    /// Makes the groups of one program, with its limits.
    pub(crate) fn create(&self, limits: &Limits) -> io::Result<Group> {
        let name = new_name();
        let mut group = Group::default();
        let slots = [
            (&self.memory, &mut group.memory),
            (&self.pids, &mut group.pids),
            (&self.cpu, &mut group.cpu),
            (&self.share, &mut group.share),
        ];
        for (place, slot) in slots {
            if let Some(Place { folder, unified }) = place {
                let folder = folder.join(&name);
                match fs::create_dir(&folder) {
                    // In a unified hierarchy, one folder serves several slots.
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                    _ => *slot = Some(Place { folder, unified: *unified }),
                }
            }
        }
        group.limit(limits)?;
        Ok(group)
    }
}

impl Group {
    fn limit(&self, limits: &Limits) -> io::Result<()> {
        if let (Some(place), Some(bytes)) = (&self.memory, limits.memory) {
            let (limit, swap) = if place.unified {
                ("memory.max", "memory.swap.max")
            } else {
                ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
            };
            fs::write(place.folder.join(limit), bytes.to_string())?;
            // Version 2 counts swap alone, version 1 swap and memory together. A kernel without swap has no such file.
            let swapped = if place.unified { 0 } else { bytes };
            let _ = fs::write(place.folder.join(swap), swapped.to_string());
            if !place.unified {
                // Version 1 counts the buffers of TCP and UDP sockets apart from other memory, and only with a limit. A kernel
                // that cannot count them has no such file.
                let sockets = bytes.min(SOCKETS);
                let file = place.folder.join("memory.kmem.tcp.limit_in_bytes");
                let _ = fs::write(file, sockets.to_string());
            }
        }
        if let (Some(place), Some(count)) = (&self.pids, limits.processes) {
            let count = count.saturating_add(OWN_PROCESSES);
            fs::write(place.folder.join("pids.max"), count.to_string())?;
        }
        Ok(())
    }

    /// The groups of version 1, and the purpose of each.
    pub(crate) fn legacy(&self) -> Vec<(Protection, PathBuf)> {
        let is_legacy = |place: &Place| !place.unified;
        self.purposes().filter(|(_, place)| is_legacy(place)).map(into_folder).collect()
    }

    /// The group of version 2, with the first of its purposes; version 2 has a single hierarchy.
    pub(crate) fn unified(&self) -> Option<(Protection, PathBuf)> {
        self.purposes().find(|(_, place)| place.unified).map(into_folder)
    }

    fn purposes(&self) -> impl Iterator<Item = (Protection, &Place)> {
        let slots = [
            (Protection::TotalMemory, &self.memory),
            (Protection::ProcessCount, &self.pids),
            (Protection::CpuAccounting, &self.cpu),
            (Protection::CpuShare, &self.share),
        ];
        slots.into_iter().filter_map(|(purpose, place)| Some((purpose, place.as_ref()?)))
    }

    /// The file that [`cpu_in`] reads.
    pub(crate) fn cpu_file(&self) -> Option<PathBuf> {
        self.cpu.as_ref().map(cpu_file)
    }

    /// The processor time of all processes so far.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.cpu.as_ref().and_then(cpu)
    }

    /// Time for which processes were ready to run, but all waited.
    pub(crate) fn cpu_pressure(&self) -> Option<Duration> {
        self.cpu.as_ref().and_then(cpu_pressure)
    }

    /// The meter of the processes while they run.
    pub(crate) fn meter(&self) -> Meter {
        Meter { cpu: self.cpu.clone(), memory: self.memory.clone(), pids: self.pids.clone() }
    }

    /// Peak memory of all processes together, in bytes.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let place = self.memory.as_ref()?;
        let file = if place.unified { "memory.peak" } else { "memory.max_usage_in_bytes" };
        fs::read_to_string(place.folder.join(file)).ok()?.trim().parse().ok()
    }

    /// Counts of refusals by the limits of memory and processes.
    pub(crate) fn exceeded(&self) -> Exceeded {
        let oom_kills = self.memory.as_ref().map_or(0, oom_kills);
        let failed_forks = self.pids.as_ref().map_or(0, failed_forks);
        Exceeded { cpu: false, oom_kills, failed_forks }
    }

    /// Kills all processes at once, if the kernel can.
    pub(crate) fn kill(&self) {
        self.places().for_each(kill);
    }

    fn places(&self) -> impl Iterator<Item = &Place> {
        self.purposes().map(|(_, place)| place)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for place in self.places() {
            for _ in 0..ATTEMPTS {
                match fs::remove_dir(&place.folder) {
                    Err(error) if error.kind() == ErrorKind::ResourceBusy => thread::sleep(PAUSE),
                    _ => break,
                }
            }
        }
    }
}

/// Kills all processes of a group at once, if the kernel can: version 2 since Linux 5.14.
pub(crate) fn kill(place: &Place) {
    if place.unified {
        let _ = fs::write(place.folder.join("cgroup.kill"), "1");
    }
}

fn into_folder((purpose, place): (Protection, &Place)) -> (Protection, PathBuf) {
    (purpose, place.folder.clone())
}

fn cpu_file(place: &Place) -> PathBuf {
    place.folder.join(if place.unified { "cpu.stat" } else { "cpuacct.usage" })
}

/// The processor time of all processes of a group so far.
pub(crate) fn cpu(place: &Place) -> Option<Duration> {
    cpu_in(&fs::read_to_string(cpu_file(place)).ok()?)
}

/// Time for which processes of a group were ready to run, but all waited for processors that others had; only version 2
/// measures it. A crowd whose processes wait for each other has none.
pub(crate) fn cpu_pressure(place: &Place) -> Option<Duration> {
    let place = Some(place).filter(|place| place.unified)?;
    let pressure = fs::read_to_string(place.folder.join("cpu.pressure")).ok()?;
    waiting_in(&pressure)
}

/// The time in `cpu.pressure` of a group: that of all its processes, before Linux 5.13 that of any.
fn waiting_in(pressure: &str) -> Option<Duration> {
    let line = |kind| pressure.lines().find(|line| line.starts_with(kind));
    let total = line("full ").or_else(|| line("some "))?.split_once("total=")?.1;
    total.trim().parse().ok().map(Duration::from_micros)
}

/// Number of processes of a group killed for lack of memory.
pub(crate) fn oom_kills(place: &Place) -> u64 {
    let file = if place.unified { "memory.events" } else { "memory.oom_control" };
    count(&place.folder.join(file), "oom_kill")
}

/// Number of processes and threads of a group refused by the limit on their number.
pub(crate) fn failed_forks(place: &Place) -> u64 {
    count(&place.folder.join("pids.events"), "max")
}

/// The processor time in a file of a control group: `cpu.stat` has a line in microseconds,
/// `cpuacct.usage` is a number of nanoseconds.
pub(crate) fn cpu_in(text: &str) -> Option<Duration> {
    match text.lines().find_map(|line| line.strip_prefix("usage_usec ")) {
        Some(micros) => micros.parse().ok().map(Duration::from_micros),
        None => text.trim().parse().ok().map(Duration::from_nanos),
    }
}

/// A counter in a file with lines `name number`; 0 if it is missing.
fn count(file: &Path, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let value = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok();
    text.lines().find_map(value).unwrap_or(0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_tell_processor_time() {
        let v2 = "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n";
        assert_eq!(cpu_in(v2), Some(Duration::from_micros(1500)));
        assert_eq!(cpu_in("1500\n"), Some(Duration::from_nanos(1500)));
        assert_eq!(cpu_in(""), None);
    }

    #[test]
    fn processes_that_wait_for_each_other_do_not_wait_for_the_machine() {
        let some = "some avg10=99.00 avg60=0.00 avg300=0.00 total=1500\n";
        let both = format!("{some}full avg10=0.00 avg60=0.00 avg300=0.00 total=20\n");
        assert_eq!(waiting_in(&both), Some(Duration::from_micros(20)));
        assert_eq!(waiting_in(some), Some(Duration::from_micros(1500)));
    }
}
