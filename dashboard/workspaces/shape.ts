/** A workspace as `workspace.list` and `workspace.show` answer it, as far as it is shown. */
export interface Workspace {
  id: number;
  name: string;
  status: string;
  email_module: boolean;
  business_name: string;
  business_address: string;
  coins: number;
  premium: boolean;
  created_at: string;
}

/** With what `workspace.show` alone answers. */
export interface ShownWorkspace extends Workspace {
  send_per_minute: number;
  send_per_day: number | null;
  own_rate: boolean;
}

/** What `workspace.list` answers. */
export interface Listed {
  data: readonly Workspace[];
  next_after: number | null;
}
