/** ms since the epoch in the form of object data, `YYYY-MM-DDTHH:MM:SS.ffffffZ` (spec section 1, Time). */
export function objectTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, -1)}000Z`;
}

/** ms since the epoch in the form of webhook payloads, `YYYY-MM-DDTHH:MM:SS+00:00` (spec section 1, Time). */
export function webhookTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
