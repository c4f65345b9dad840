const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INTEGER = /^[1-9]\d{0,15}$/;

/** The id in lower case when it is a UUID, else null. */
export function readUuid(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

/** An integer id from a URL, else null (docs/contract.md#error-statuses: a malformed id is 404). */
export function readIntegerId(text: string): number | null {
  return INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
