import { readFile } from 'node:fs/promises'

/** The kernel counts a process's time in hundredths of a second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const tickMs = 10

/** Processor time in milliseconds, of all threads, and of ended children; NaN if the system has no /proc. */
export interface ProcessTimes {
  parent: number
  own: number
  children: number
}

export async function timesOf(pid: number | string): Promise<ProcessTimes> {
  // A process may end before its file is read.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in brackets, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((field) =>
    Number(fields[field]),
  )
  const sum = (one = Number.NaN, other = Number.NaN) => (one + other) * tickMs
  return {
    parent: parent ?? Number.NaN,
    own: sum(user, system),
    children: sum(endedUser, endedSystem),
  }
}

/** Returns the processor time of these processes in milliseconds. */
export async function cpuMillis(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(pids.map(timesOf))
  return times.reduce((sum, { own }) => sum + own, 0)
}

/** Returns the resident memory of a process in megabytes; NaN if the system has no /proc. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(?<kilobytes>\d+)/mu.exec(status)?.groups?.kilobytes) / 1024
}
