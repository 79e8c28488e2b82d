//! Memory that was needed to read a feed goes back to the system.
//!
//! The one module of this crate with `unsafe`: a setting of the C library. Its safe twin is to leave the setting alone,
//! which only takes more memory.

#![allow(unsafe_code)]

/// Has large pieces of memory given back to the system as soon as they are freed.
///
/// The GNU C library does so with pieces from 128 KiB on, but raises that bound whenever such a piece is freed, up to
/// 32 MiB; what is freed below the bound stays with the process. Setting the bound keeps it where it is.
pub fn return_large_pieces() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const BOUND_BYTES: libc::c_int = 128 << 10;
        // SAFETY: `mallopt` takes two numbers and touches nothing of ours; no other thread runs yet.
        let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, BOUND_BYTES) };
        if is_set == 0 {
            tracing::debug!("the C library does not take a bound for pieces that it gives back");
        }
    }
}
