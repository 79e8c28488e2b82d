//! The program: what the arguments ask for, and the exit code that says how it went.

use std::process::ExitCode;

use clap::Parser;
use linespeed::cli::{Arguments, Command, GenerateCommand};

/// Done, with problems reported.
const PROBLEMS: u8 = 1;
/// Not done.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    linespeed::log::start();
    linespeed::memory::return_large_pieces();
    let result = match arguments.command {
        Command::Serve(options) => linespeed::serve::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Check(options) => linespeed::check::run(&options)
            .map(|problem_count| if problem_count == 0 { ExitCode::SUCCESS } else { ExitCode::from(PROBLEMS) }),
        Command::Generate(GenerateCommand::Feed(options)) => {
            linespeed::generate::run(&options.recipe(), &options.out).map(|()| ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("linespeed: {error:#}");
        ExitCode::from(FAILED)
    })
}
