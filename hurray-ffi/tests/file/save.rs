//! Saving: to a path, over a mapped file, with members, with failures.

use crate::compose::*;
use crate::door::*;
use hurray::abi::*;
use std::ffi::c_void;
use std::path::PathBuf;

pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("file-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Names in a folder.
pub fn listing(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub fn vector(values: &[f32]) -> Tensor {
    Tensor::new(&descriptor(3, 1, &[values.len() as u64], &[], &[4 * values.len()]), &[&f32s(values)])
}

pub fn save(path: &std::path::Path, tensors: &[(&str, &Tensor)]) {
    let writer = Writer::path(path, &[(HURRAY_OPTION_DURABLE, 0)]).unwrap();
    for (name, tensor) in tensors {
        writer.put(name, &tensor.item()).unwrap();
    }
    writer.finish().unwrap();
}

fn first_values(tensor: &Tensor) -> Vec<u8> {
    tensor.buffers()[0].bytes().to_vec()
}

#[test]
fn members_are_named_after_their_head_and_come_back() {
    let parts = [vector(&[1., 2.]), vector(&[3.])];
    let inner = Item::composite(&head(3, 3, &[3], 2), &[parts[0].item(), parts[1].item()]).unwrap();
    let outer = Item::composite(&head(3, 3, &[3], 2), &[inner, vector(&[9.]).item()]).unwrap();
    let writer = Writer::memory(&[(HURRAY_OPTION_SORTED_INDEX, 1)]);
    writer.put("plain", &vector(&[7.]).item()).unwrap();
    writer.put("g", &outer).unwrap();
    writer.finish().unwrap();
    let reader = Reader::bytes(&writer.take(), &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
    assert_eq!(reader.names(), ["g", "g.0", "g.0.0", "g.0.1", "g.1", "plain"]);
    // In the order of the file: the plain tensor first.
    assert_eq!(reader.items().unwrap(), [5, 0]);
    let members = reader.item(0).unwrap().members();
    let nested = members[0].members();
    let values = |item: &Item| first_values(&item.tensor().unwrap());
    assert_eq!(values(&members[1]), f32s(&[9.]));
    assert_eq!([values(&nested[0]), values(&nested[1])], [f32s(&[1., 2.]), f32s(&[3.])]);
    let failure = reader.tensor(0).err().unwrap();
    assert_eq!(failure.status, HURRAY_ERR_INVALID_ARGUMENT);
}

#[test]
fn b47_saving_over_the_mapped_file() {
    let path = folder("over").join("a.hrry");
    save(&path, &[("x", &vector(&[1., 2., 3.]))]);
    let reader = Reader::path(&path, &[]).unwrap();
    let mapped = reader.tensor(0).unwrap();
    assert_eq!(mapped.buffers()[0].flags(), HURRAY_BUFFER_READ_ONLY);
    save(&path, &[("x", &mapped), ("y", &mapped)]);
    assert_eq!(first_values(&mapped), f32s(&[1., 2., 3.]));
    let again = Reader::path(&path, &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
    assert_eq!((again.names(), again.count()), (vec!["x".to_string(), "y".to_string()], 2));
    assert_eq!(again.tensor(0).unwrap().descriptor(), mapped.descriptor());
    assert_eq!(first_values(&again.tensor(1).unwrap()), f32s(&[1., 2., 3.]));
}

#[test]
fn b48_b94_a_tensor_outlives_its_reader() {
    let path = folder("outlives").join("a.hrry");
    save(&path, &[("x", &vector(&[4., 5.]))]);
    let reader = Reader::path(&path, &[]).unwrap();
    let tensor = reader.tensor(0).unwrap();
    drop(reader);
    assert_eq!(first_values(&tensor), f32s(&[4., 5.]));
}

#[test]
fn b67_a_failure_half_way_leaves_the_old_file_and_nothing_else() {
    let folder = folder("half");
    let path = folder.join("a.hrry");
    save(&path, &[("x", &vector(&[1.]))]);
    let old = std::fs::read(&path).unwrap();
    let writer = Writer::path(&path, &[]).unwrap();
    writer.put("x", &vector(&[2.]).item()).unwrap();
    assert_eq!(listing(&folder).len(), 2);
    let failure = writer.put("x", &vector(&[3.]).item()).unwrap_err();
    assert_eq!(failure.status, HURRAY_ERR_DUPLICATE);
    assert!(
        failure.text.starts_with("F-034: ") && failure.text.ends_with(": entries[0]"),
        "{}",
        failure.text
    );
    // The same failure ever after, and no file is left.
    assert_eq!(writer.put("z", &vector(&[3.]).item()).unwrap_err(), failure);
    assert_eq!(writer.finish().unwrap_err(), failure);
    assert_eq!(listing(&folder), ["a.hrry"]);
    assert_eq!(std::fs::read(&path).unwrap(), old);
}

#[test]
fn links_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    let (real, link) = (folder.join("real.hrry"), folder.join("link.hrry"));
    save(&real, &[("x", &vector(&[1.]))]);
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.hrry", &link).unwrap();
    save(&link, &[("y", &vector(&[1.]))]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(Reader::path(&real, &[]).unwrap().names(), ["y"]);
    let dangling = folder.join("dangling.hrry");
    symlink("new.hrry", &dangling).unwrap();
    save(&dangling, &[("z", &vector(&[1.]))]);
    assert_eq!(Reader::path(&folder.join("new.hrry"), &[]).unwrap().names(), ["z"]);
}

/// A target that has its own writer cancelled while the data comes, and counts what it gets.
struct Canceller {
    options: Options,
    seen: u64,
}

unsafe extern "C" fn cancels(context: *mut c_void, _: *const u8, len: u64) -> i32 {
    let this = unsafe { &mut *context.cast::<Canceller>() };
    this.seen += len;
    if this.seen > 4096 {
        done(unsafe { hurray_options_cancel(this.options.0) }).unwrap();
    }
    0
}

fn progress(options: &Options) -> (u64, u64) {
    let (mut out, mut total) = (0, 0);
    done(unsafe { hurray_options_progress(options.0, &mut out, &mut total) }).unwrap();
    (out, total)
}

#[test]
fn a_cancelled_save_stops_inside_a_tensor() {
    let large = vector(&vec![0.5; 5 << 20]);
    let mut target = Canceller { options: options(&[]), seen: 0 };
    let given = target.options.0;
    let context = (&raw mut target).cast();
    let writer = make!(Writer, hurray_file_writer_to_callback(Some(cancels), context, None, given)).unwrap();
    let failure = writer.put("x", &large.item()).unwrap_err();
    assert_eq!(failure.status, HURRAY_ERR_CANCELLED);
    let (out, total) = progress(&target.options);
    assert!(target.seen < 20 << 20, "{} bytes came after all", target.seen);
    assert!(out <= target.seen && total >= 20 << 20, "{out} of {total}");
}

#[test]
fn a_cancelled_save_leaves_the_old_file() {
    let folder = folder("cancelled");
    let path = folder.join("a.hrry");
    save(&path, &[("x", &vector(&[1.]))]);
    let old = std::fs::read(&path).unwrap();
    let options = options(&[]);
    let name = path.to_str().unwrap();
    let writer =
        make!(Writer, hurray_file_writer_create(name.as_ptr().cast(), name.len(), options.0)).unwrap();
    writer.put("y", &vector(&[2.]).item()).unwrap();
    done(unsafe { hurray_options_cancel(options.0) }).unwrap();
    assert_eq!(writer.finish().unwrap_err().status, HURRAY_ERR_CANCELLED);
    drop(writer);
    assert_eq!(listing(&folder), ["a.hrry"]);
    assert_eq!(std::fs::read(&path).unwrap(), old);
}

thread_local! {
    /// What this thread has synced: the paths that the descriptors had at that time.
    static SYNCED: std::cell::RefCell<Vec<PathBuf>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// In the place of the system's function, for all that this program links.
#[unsafe(no_mangle)]
extern "C" fn fsync(fd: i32) -> i32 {
    let path = std::fs::read_link(format!("/proc/self/fd/{fd}")).unwrap_or_default();
    SYNCED.with_borrow_mut(|all| all.push(path));
    unsafe { libc::syscall(libc::SYS_fsync, fd) as i32 }
}

#[test]
fn durable_is_the_file_before_its_name_and_then_the_folder() {
    let folder = std::fs::canonicalize(folder("durable")).unwrap();
    let path = folder.join("a.hrry");
    let save_with = |durable| {
        let writer = Writer::path(&path, &[(HURRAY_OPTION_DURABLE, durable)]).unwrap();
        writer.put("x", &vector(&[durable as f32]).item()).unwrap();
        writer.finish().unwrap();
        assert_eq!(listing(&folder), ["a.hrry"]);
        let reader = Reader::path(&path, &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
        assert_eq!(first_values(&reader.tensor(0).unwrap()), f32s(&[durable as f32]));
        SYNCED.take()
    };
    let synced = save_with(1);
    assert_eq!(synced.len(), 2, "{synced:?}");
    let name = synced[0].file_name().unwrap().to_string_lossy();
    assert!(
        name.starts_with(".hurray-") && name.ends_with(".tmp"),
        "{name} was synced before it was renamed"
    );
    assert_eq!(synced[1], folder);
    // Without the syncs it is a rename all the same.
    let inode = || std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(&path).unwrap());
    let before = inode();
    assert!(save_with(0).is_empty());
    assert_ne!(inode(), before);
}
