/** The fields of one group: lower-case name -> unfolded, trimmed value. For a repeated field, the first counts. */
export type FieldGroup = ReadonlyMap<string, string>;

/**
 * Reads the field groups of a message/delivery-status or message/feedback-report body (RFC 3464 section 2.1): header
 * fields, with blank lines between groups. Other lines are skipped, since all sorts of programs write reports.
 */
export function readFieldGroups(body: string): FieldGroup[] {
  const groups: FieldGroup[] = [];
  let fields: [string, string][] = [];
  const endGroup = (): void => {
    if (fields.length > 0) groups.push(toGroup(fields));
    fields = [];
  };
  for (const line of body.split(/\r\n|\r|\n/)) {
    const last = fields.at(-1);
    if (line.trim() === '') endGroup();
    else if (/^[ \t]/.test(line)) {
      if (last) last[1] += ` ${line.trim()}`;
    } else {
      const colon = line.indexOf(':');
      if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
    }
  }
  endGroup();
  return groups;
}

function toGroup(fields: readonly [string, string][]): FieldGroup {
  return new Map([...fields].reverse().map(([name, value]) => [name, value.trim()]));
}
