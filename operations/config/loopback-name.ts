/** True for the host of a URL that stays on this machine. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
