/** Whether a host, as `URL` writes it, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === '[::1]' || /^127(\.\d+){3}$/.test(host) || /(^|\.)localhost$/.test(host);
}

/**
 * Whether a browser can see from its name alone that a host is of this machine or its network. Chromium lets a page that was
 * loaded with https ask just these with plain http, once the user has allowed it.
 */
export function isPrivateHost(host: string): boolean {
  if (isLoopbackHost(host) || host.endsWith('.local')) return true;
  if (/^\[f[cd]|^\[fe[89ab]/.test(host)) return true;
  return /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);
}
