package shell

import (
	"maps"
	"sync"
)

// StandardModels returns the programs computed by default. The map is the
// caller's to extend.
func StandardModels() Models { return maps.Clone(standardModels()) }

// StandardWrappers returns the programs that start the rest of their
// arguments. The map is the caller's to extend.
func StandardWrappers() map[string]Wrapper { return maps.Clone(standardWrappers()) }

// The tables are shared by all runs and not changed.
var (
	standardModels   = sync.OnceValue(makeModels)
	standardWrappers = sync.OnceValue(makeWrappers)
)

func makeModels() Models {
	models := Models{
		"cat": modelCat, "tee": modelTee, "head": modelHead, "tail": modelTail, "cut": modelCut, "tr": modelTr, "wc": modelWc,
		"sort": modelSort, "uniq": modelUniq, "tac": modelTac, "rev": modelRev, "paste": modelPaste, "seq": modelSeq, "basename": modelBasename,
		"dirname": modelDirname, "realpath": modelRealpath, "readlink": modelRealpath, "expr": modelExpr, "bc": modelBc,
		"sed": modelSed, "grep": modelGrep, "egrep": modelGrep, "fgrep": modelGrep, "awk": modelAwk, "gawk": modelAwk,
		"mawk": modelAwk, "jq": modelJq, "printenv": modelPrintenv, "env": modelEnv, "xargs": modelXargs, "ls": modelLs,
		"cp": modelCopy, "mv": modelCopy, "mktemp": modelMktemp, "python3": modelPython, "python": modelPython,
	}
	for _, name := range []string{"mkdir", "rm", "rmdir", "chmod", "chown", "touch", "ln", "sleep", "sync", "install"} {
		models[name] = modelSilent
	}
	for name, what := range map[string]Reason{
		"date": ReasonClock, "uuidgen": ReasonClock, "shuf": ReasonClock, "nproc": ReasonHost, "hostname": ReasonHost,
		"uname": ReasonHost, "whoami": ReasonHost, "id": ReasonHost, "tty": ReasonHost, "free": ReasonHost, "df": ReasonHost,
		"lscpu": ReasonHost, "numfmt": ReasonOutput,
	} {
		models[name] = unknownOutput(what)
	}
	return models
}

// unknownOutput models a program that succeeds with an output that nobody can
// tell.
func unknownOutput(why Reason) Model {
	return func(c *Call) Result {
		u := Unknown{Reason: why, Detail: programName(c.Argv[0]), Origin: c.Origin}
		if u.Detail == "nproc" {
			u.Shape = ShapeNumber
		}
		return Result{Stdout: Unknowable(u), StatusKnown: true}
	}
}

// modelSilent models a program that prints nothing; whether it succeeds is
// not known.
func modelSilent(*Call) Result { return Result{} }

func makeWrappers() map[string]Wrapper {
	return map[string]Wrapper{
		"env":      {Valued: []string{"-C", "--chdir", "-S"}, Unset: []string{"-u", "--unset"}, Assigns: true},
		"nohup":    {},
		"setsid":   {},
		"time":     {Valued: []string{"-f", "-o"}},
		"sudo":     {Valued: []string{"-u", "-g", "-h", "-p", "-C"}, Assigns: true},
		"stdbuf":   {Valued: []string{"-i", "-o", "-e"}},
		"unbuffer": {},
		"nice":     {Valued: []string{"-n", "--adjustment"}},
		"ionice":   {Valued: []string{"-c", "-n"}},
		"chrt":     {Operands: 1},
		"taskset":  {Operands: 1},
		"timeout":  {Valued: []string{"-k", "--kill-after", "-s", "--signal"}, Operands: 1},
		"numactl": {Valued: []string{"-N", "-m", "-C", "-i", "-p", "-P", "--cpunodebind", "--membind", "--physcpubind",
			"--interleave", "--preferred"}},
		"flock": {Valued: []string{"-w", "--timeout", "-E"}, Operands: 1},
		"mpirun": {Valued: []string{"-n", "-np", "-H", "--host", "-x", "--hostfile", "--map-by", "--bind-to", "-N", "--npernode",
			"--oversubscribe-val", "-wdir", "--wdir"}, Values: map[string]int{"--mca": 2, "-mca": 2}},
		"mpiexec": {Valued: []string{"-n", "-np", "-H", "--host", "-x", "--hostfile"}, Values: map[string]int{"--mca": 2}},
		"srun": {Valued: []string{"-n", "-N", "-w", "-p", "-J", "-A", "-t", "-c", "-o", "-e", "-x", "-D", "-G", "--jobid", "--ntasks",
			"--nodes", "--nodelist", "--partition", "--job-name", "--account", "--time", "--output", "--error", "--chdir",
			"--container-image", "--container-mounts", "--container-name", "--container-workdir", "--mpi", "--gres", "--exclude",
			"--export", "--cpus-per-task", "--ntasks-per-node"}},
		"docker": container(),
		"podman": container(),
		"sbatch": {Valued: []string{"-n", "-N", "-w", "-p", "-J", "-A", "-t", "-c", "-o", "-e", "-x", "-D", "-G", "-d", "--ntasks",
			"--nodes", "--nodelist", "--partition", "--job-name", "--account", "--time", "--output", "--error", "--gres", "--exclude",
			"--export", "--cpus-per-task", "--ntasks-per-node", "--dependency"}, Dir: []string{"-D", "--chdir"}, Script: true},
		"trtllm-llmapi-launch": {},
		"xvfb-run":             {},
		"catchsegv":            {},
	}
}

// container describes the programs that start a command in a container. The
// files are looked up by the mounts of the run, not by those of the command.
func container() Wrapper {
	return Wrapper{
		Subcommands: []string{"run"}, Operands: 1, Fresh: true,
		Env: []string{"-e", "--env"}, Dir: []string{"-w", "--workdir"}, Entry: []string{"--entrypoint"},
		Valued: []string{"-v", "--volume", "--mount", "--name", "--network", "--net", "--gpus", "--device", "--runtime", "--ipc",
			"--shm-size", "--ulimit", "--cap-add", "--security-opt", "--group-add", "-u", "--user", "-p", "--publish", "-h",
			"--hostname", "--pid", "-m", "--memory", "--cpus", "--label", "-l", "--env-file", "--add-host", "--platform", "--pull"},
	}
}
