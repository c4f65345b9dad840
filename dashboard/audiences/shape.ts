/** An audience, as `audience.list` and `audience.show` answer it. */
export interface Audience {
  id: number;
  name: string;
  description: string | null;
  opt_in_mode: string;
  redirect_hosts: readonly string[];
  form_paused_at: string | null;
  created_at: string;
  contacts_count: number;
  /** Those a campaign would go to; null when they are too many to count at once. */
  reachable_count: number | null;
}

/** What `audience.members` answers. */
export interface Members {
  data: readonly {
    contact_id: number;
    email: string;
    name: string | null;
    status: string;
    membership: string;
    joined_at: string;
    pending_until: string | null;
  }[];
  next_after: number | null;
}

/** What `audience.form` answers. */
export interface PublicForm {
  form_url: string;
  html: string;
  confirmation: { subject: string; html: string } | null;
}
