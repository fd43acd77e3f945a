"""What several tests are given: conversations, jobs, engines that ask, samples of every dialect."""
