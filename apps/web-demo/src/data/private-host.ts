/** True if a host, as written by `URL`, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === '[::1]' || /^127(\.\d+){3}$/.test(host) || /(^|\.)localhost$/.test(host);
}

/**
 * True if a browser can tell from the name alone that a host is on this machine or its network. Chromium lets a page
 * served over https request only such hosts over plain http, after the user has agreed.
 */
export function isPrivateHost(host: string): boolean {
  if (isLoopbackHost(host) || host.endsWith('.local')) return true;
  if (/^\[f[cd]|^\[fe[89ab]/.test(host)) return true;
  return /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);
}
