//! Commands, their process groups, their output and the jobs that outlive a call.
