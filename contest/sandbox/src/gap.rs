//! The protections of a sandbox, and the gaps where this system lacks one.

use std::fmt;

use language::{Note, Phrase};
use serde::{Deserialize, Serialize};

/// A mechanism of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Protection {
    /// A program's own namespaces for users, mounts, processes, network, IPC and host name.
    Namespaces,
    /// A `/proc` that shows only the program's own processes.
    OwnProc,
    /// A limit of the memory of all processes of a program together.
    TotalMemory,
    /// A limit of the number of processes and threads of a program.
    ProcessCount,
    /// An exact measure of the processor time of all processes of a program together.
    CpuAccounting,
    /// Equal shares of the processors for all programs, regardless of their numbers of threads.
    CpuShare,
    /// A user of its own for each running program, whose limits no other program uses up.
    OwnUser,
    /// A filter of system calls.
    SystemCalls,
    /// Landlock: a second lock on files, signals and sockets.
    Landlock,
}

/// A protection that a sandbox lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The protection.
    pub protection: Protection,
    /// The reason why this system lacks the protection.
    pub why: Note,
}

impl Protection {
    /// All protections.
    pub const ALL: [Self; 9] = [
        Self::Namespaces,
        Self::OwnProc,
        Self::TotalMemory,
        Self::ProcessCount,
        Self::CpuAccounting,
        Self::CpuShare,
        Self::OwnUser,
        Self::SystemCalls,
        Self::Landlock,
    ];

    /// Tests if [`Level::Strict`](crate::Level::Strict) requires the protection. Landlock duplicates the effect of
    /// namespaces, and older kernels lack it; shares of processors are not always delegated, and a program bound to a core
    /// cannot use other cores.
    pub fn is_required(self) -> bool {
        !matches!(self, Self::Landlock | Self::CpuShare)
    }

    fn consequence(self) -> Phrase {
        match self {
            Self::Namespaces => Phrase::new(
                "programs use the network and the shared memory of this machine and see its processes and its temporary files",
                "les programmes utilisent le réseau et la mémoire partagée de cette machine, voient ses processus et ses fichiers temporaires",
            ),
            Self::OwnProc => Phrase::new(
                "programs see the names of all processes of this machine",
                "les programmes voient les noms de tous les processus de cette machine",
            ),
            Self::TotalMemory => Phrase::new(
                "memory is limited for each process alone, not for all processes of a program together, and that of sockets and pipes not at all",
                "la mémoire est limitée pour chaque processus, et non pour tous ceux d'un programme ensemble ; celle \
                 des sockets et des tubes ne l'est pas",
            ),
            Self::ProcessCount => Phrase::new(
                "the number of processes of a program is not limited",
                "le nombre de processus d'un programme n'est pas limité",
            ),
            Self::CpuAccounting => Phrase::new(
                "processor time is summed up from /proc; a program can hide that of children it ignores",
                "le temps de calcul est additionné d'après /proc ; un programme peut cacher celui d'enfants qu'il ignore",
            ),
            Self::CpuShare => Phrase::new(
                "a program with many threads gets more of the processors than one with few",
                "un programme à nombreux fils d'exécution reçoit plus de temps de processeur que les autres",
            ),
            Self::OwnUser => Phrase::new(
                "programs share a user, and can use up what the kernel allows it: epoll watches, descriptors in flight, pages of pipes",
                "les programmes partagent un utilisateur, et peuvent épuiser ce que le noyau lui accorde : surveillances d'epoll, descripteurs en transit, pages de tubes",
            ),
            Self::SystemCalls => Phrase::new(
                "programs may make every system call that the user may make",
                "les programmes peuvent faire tous les appels système permis à l'utilisateur",
            ),
            Self::Landlock => Phrase::new(
                "there is no second lock behind the namespaces; without these, programs read all that their user may read",
                "il n'y a pas de second verrou derrière les espaces de noms ; sans eux, les programmes lisent tout ce que leur utilisateur peut lire",
            ),
        }
    }
}

impl Gap {
    /// The consequence, and why the protection is missing.
    pub fn note(&self) -> Note {
        let (consequence, why) = (Note::from(self.protection.consequence()), &self.why);
        let joined = |consequence, why| format!("{consequence} ({why})");
        Note::new(joined(consequence.en, &why.en), joined(consequence.fr, &why.fr))
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.note().fmt(f)
    }
}
