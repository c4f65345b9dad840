/** A domain as the operations answer it. */
export interface Domain {
  id: number;
  domain: string;
  status: string;
  category: 'marketing' | 'transactional';
  track_clicks: boolean;
  created_at: string;
}

export interface DnsRecord {
  purpose: string;
  name: string;
  type: string;
  value: string | null;
  zone: string | null;
  /** Of a key that signs no more. */
  removable_from?: string;
}

/** A domain with the records that it should have, as `domain.show` answers it. */
export interface ShownDomain extends Domain {
  dns: readonly DnsRecord[];
}

/** What `domain.check` and `domain.activate` found in the DNS. */
export interface Looked {
  status: string;
  /** Null when nothing was looked up. */
  ok: boolean | null;
  records: readonly Found[];
}

/** A record, and what the DNS says. */
export interface Found {
  purpose: string;
  name: string;
  /** What to publish; null while it is not known. */
  expected: string | null;
  found: readonly string[];
  status: 'ok' | 'missing' | 'differs' | 'unknown';
  fault: string | null;
}
