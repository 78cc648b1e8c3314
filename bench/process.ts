import { readFile } from 'node:fs/promises'

/** The kernel counts a process's time in hundredths of a second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const tickMs = 10

/** Returns the processor time of a process in milliseconds, of all its threads; NaN if the system has no /proc. */
export async function cpuMillis(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in brackets, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) * tickMs
}

/** Returns the resident memory of a process in megabytes; NaN if the system has no /proc. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(?<kilobytes>\d+)/mu.exec(status)?.groups?.kilobytes) / 1024
}
