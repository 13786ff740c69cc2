//! Test file systems: one that can fail, and one that records the order in which data became durable.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use doorward_ledger::disk::{Disk, SegmentFile, System};

/// How the next operations on journal files fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// Writes half of the data, then returns this errno.
    Write(i32),
    /// The sync returns this errno.
    Sync(i32),
    /// Content bundles can't be written, the journal can.
    Contents(i32),
    /// Writes a third of the data at a time.
    Short,
    /// Is interrupted every other time.
    Interrupted,
}

/// A recorded operation.
#[derive(Debug, Clone)]
pub(crate) enum DiskEvent {
    Create(PathBuf),
    Write(PathBuf, Vec<u8>),
    Sync(PathBuf),
    Truncate(PathBuf, u64),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    SyncDir(PathBuf),
    /// The caller of this index got its answer.
    Answered(u64),
}

#[derive(Default)]
pub(crate) struct TestDisk {
    pub(crate) broken: Arc<Mutex<Option<Break>>>,
    pub(crate) events: Arc<Mutex<Vec<DiskEvent>>>,
    /// Skips syncs, for a restart that only has to come up.
    pub(crate) lax: bool,
}

struct TestSink {
    path: PathBuf,
    inner: Box<dyn SegmentFile>,
    broken: Arc<Mutex<Option<Break>>>,
    events: Arc<Mutex<Vec<DiskEvent>>>,
    turn: bool,
    lax: bool,
}

impl TestSink {
    fn broken(&self) -> Option<Break> {
        let broken = *self.broken.lock().unwrap();
        let journal = self.path.extension().is_some_and(|extension| extension == "j");
        let contents = self.path.components().any(|part| part.as_os_str() == "contents");
        broken.filter(|broken| if matches!(broken, Break::Contents(_)) { contents } else { journal })
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut events = self.events.lock().unwrap();
        let written = self.inner.write(bytes)?;
        events.push(DiskEvent::Write(self.path.clone(), bytes[..written].to_vec()));
        Ok(written)
    }
}

impl SegmentFile for TestSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn = !self.turn;
        match self.broken() {
            Some(Break::Write(errno)) if self.turn && bytes.len() > 1 => {
                let half = bytes.len() / 2;
                *self.broken.lock().unwrap() = Some(Break::Write(errno));
                self.put(&bytes[..half])
            }
            Some(Break::Contents(errno)) if self.turn && bytes.len() > 1 => {
                let half = bytes.len() / 2;
                *self.broken.lock().unwrap() = Some(Break::Contents(errno));
                self.put(&bytes[..half])
            }
            Some(Break::Write(errno) | Break::Contents(errno)) => Err(io::Error::from_raw_os_error(errno)),
            Some(Break::Short) => self.put(&bytes[..bytes.len().div_ceil(3)]),
            Some(Break::Interrupted) if self.turn => Err(io::ErrorKind::Interrupted.into()),
            _ => self.put(bytes),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        if let Some(Break::Sync(errno)) = self.broken() {
            return Err(io::Error::from_raw_os_error(errno));
        }
        let mut events = self.events.lock().unwrap();
        if !self.lax {
            self.inner.sync()?;
        }
        events.push(DiskEvent::Sync(self.path.clone()));
        Ok(())
    }
}

impl TestDisk {
    fn sink(&self, path: &Path, inner: Box<dyn SegmentFile>) -> Box<dyn SegmentFile> {
        let (broken, events) = (Arc::clone(&self.broken), Arc::clone(&self.events));
        Box::new(TestSink { path: path.to_owned(), inner, broken, events, turn: false, lax: self.lax })
    }
}

impl Disk for TestDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn SegmentFile>> {
        let mut events = self.events.lock().unwrap();
        let inner = System.create(path)?;
        events.push(DiskEvent::Create(path.to_owned()));
        Ok(self.sink(path, inner))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn SegmentFile>> {
        System.append(path).map(|inner| self.sink(path, inner))
    }

    fn read_back(&self, path: &Path) -> io::Result<Vec<u8>> {
        System.read_back(path)
    }

    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        let mut events = self.events.lock().unwrap();
        System.truncate(path, length)?;
        events.push(DiskEvent::Truncate(path.to_owned(), length));
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut events = self.events.lock().unwrap();
        System.rename(from, to)?;
        events.push(DiskEvent::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut events = self.events.lock().unwrap();
        System.remove(path)?;
        events.push(DiskEvent::Remove(path.to_owned()));
        Ok(())
    }

    fn make_dir(&self, path: &Path) -> io::Result<()> {
        System.make_dir(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut events = self.events.lock().unwrap();
        if !self.lax {
            System.sync_dir(path)?;
        }
        events.push(DiskEvent::SyncDir(path.to_owned()));
        Ok(())
    }
}

/// How much of a file's last unsynced write reached the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Only synced data.
    Synced,
    /// Everything.
    All,
    /// The write up to this many blocks of 512 bytes.
    Cut(usize),
    /// All except one block, which is zeroed.
    Hole(usize),
}

#[derive(Debug, Clone, Default)]
struct Content {
    synced: Vec<u8>,
    now: Vec<u8>,
    /// Offset at which the last write began.
    last: usize,
}

/// The files after a power loss following `events`: names as far as their directory was synced (or all), content
/// according to `left`. Also the number of answers given.
pub(crate) fn after_power_loss(
    events: &[DiskEvent],
    all_names: bool,
    left: Left,
) -> (HashMap<PathBuf, Vec<u8>>, u64) {
    let (mut contents, mut answered) = (Vec::<Content>::new(), 0);
    let (mut now, mut durable) = (HashMap::<PathBuf, usize>::new(), HashMap::<PathBuf, usize>::new());
    for event in events {
        match event {
            DiskEvent::Create(path) => {
                contents.push(Content::default());
                // Emptying an existing file keeps its name.
                if now.insert(path.clone(), contents.len() - 1).is_some() && durable.contains_key(path) {
                    durable.insert(path.clone(), contents.len() - 1);
                }
            }
            DiskEvent::Write(path, bytes) => {
                let content = &mut contents[now[path]];
                content.last = content.now.len();
                content.now.extend_from_slice(bytes);
            }
            DiskEvent::Sync(path) => {
                if let Some(&id) = now.get(path) {
                    let content = &mut contents[id];
                    content.synced = content.now.clone();
                }
            }
            DiskEvent::Truncate(path, length) => {
                let content = &mut contents[now[path]];
                content.now.truncate(*length as usize);
                content.synced = content.now.clone();
            }
            DiskEvent::Rename(from, to) => {
                let id = now.remove(from).unwrap();
                now.insert(to.clone(), id);
            }
            DiskEvent::Remove(path) => {
                now.remove(path);
            }
            DiskEvent::SyncDir(dir) => {
                durable.retain(|path, _| path.parent() != Some(dir));
                durable.extend(
                    now.iter()
                        .filter(|(path, _)| path.parent() == Some(dir))
                        .map(|(path, id)| (path.clone(), *id)),
                );
            }
            DiskEvent::Answered(index) => answered = answered.max(index + 1),
        }
    }
    let names = if all_names { now } else { durable };
    let files = names.into_iter().map(|(path, id)| (path, remains(&contents[id], left))).collect();
    (files, answered)
}

fn remains(content: &Content, left: Left) -> Vec<u8> {
    if content.now == content.synced {
        return content.now.clone();
    }
    let begin = content.last.max(content.synced.len().min(content.now.len()));
    match left {
        Left::Synced => content.synced.clone(),
        Left::All => content.now.clone(),
        Left::Cut(blocks) => {
            let end = ((begin / 512 + blocks) * 512).clamp(begin, content.now.len());
            content.now[..end].to_vec()
        }
        Left::Hole(block) => {
            let mut bytes = content.now.clone();
            let from = ((begin / 512 + block) * 512).clamp(begin, bytes.len());
            let to = ((begin / 512 + block + 1) * 512).min(bytes.len()).max(from);
            bytes[from..to].fill(0);
            bytes
        }
    }
}
