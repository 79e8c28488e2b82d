#!/bin/sh
# Has the command line of linespeed. Its feeds are copies of $STAND_IN_FEED, and its answers are the files of
# $STAND_IN_ANSWERS, whatever the feed says. A file of its own, because a test that writes a program while another
# test forks cannot run it: the other's child still has it open ("text file busy").
case $1 in
generate)
    for out; do :; done
    cp -r "$STAND_IN_FEED" "$out"
    ;;
serve)
    exec "$STAND_IN_BENCH" floor "$STAND_IN_ANSWERS" --http "$4"
    ;;
esac
