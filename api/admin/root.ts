/** Where the management API lies. */
export const ROOT = '/admin/v1';
