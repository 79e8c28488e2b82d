//! Stub until the generator is merged.
#![allow(missing_docs)]
use timetable::MemoryFiles;
pub fn run(recipe: &timetable::generate::Recipe, out: &std::path::Path) -> anyhow::Result<()> {
    let mut files = MemoryFiles::default();
    timetable::generate::generate(recipe, &mut files)?;
    std::fs::create_dir_all(out)?;
    for (name, bytes) in files.0 { std::fs::write(out.join(name), bytes)?; }
    Ok(())
}
