/** The fields of one group: lower-case name -> unfolded, trimmed value. For a repeated field, the first counts. */
export type FieldGroup = ReadonlyMap<string, string>;

/** Fields that a group has once: the second begins a group, where the blank line before it is missing. */
const ONCE = new Set(['final-recipient', 'action', 'status']);

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
  // A gateway may have doubled the ends of lines.
  for (const line of body.split(/\r*\n|\r/)) {
    const last = fields.at(-1);
    if (line.trim() === '') endGroup();
    else if (/^[ \t]/.test(line)) {
      if (last) last[1] += ` ${line.trim()}`;
    } else {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      if (ONCE.has(name) && fields.some(([known]) => known === name)) endGroup();
      if (colon > 0) fields.push([name, line.slice(colon + 1).trim()]);
    }
  }
  endGroup();
  return groups;
}

function toGroup(fields: readonly [string, string][]): FieldGroup {
  return new Map([...fields].reverse().map(([name, value]) => [name, value.trim()]));
}
