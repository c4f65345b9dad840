/** The texts of the keys of the management API. */
export const EN = {
  adminKeysTitle: 'Management API keys',
  adminKeysAbout: 'Keys for programs that use the management API (/admin/v1). Each has a role.',
  adminKeysName: 'Name',
  adminKeysNameHelp: 'What the key is for. It appears in the audit log.',
  adminKeysReaches: 'Access',
  adminKeysAll: 'all workspaces',
  adminKeysMade: 'Created',
  adminKeysEnds: 'Expires',
  adminKeysNever: 'never',
  adminKeysNone: 'No keys yet.',
  adminKeysWorkspaceHelp: 'Leave empty for access to all workspaces.',
  adminKeysOperator: 'full access to all workspaces and the installation',
  adminKeysExpires: 'Expires after',
  adminKeysExpiresHelp: 'For example 90d. Leave empty to never expire.',
  adminKeysMake: 'Create key',
  adminKeysMadeTitle: 'Management API key {name}',
  adminKeysOnce: 'Copy this key now. You will not see it again. Anyone with it can act with its role.',
  adminKeysRevokeSure: 'Revoke the key {name}? Programs that use it lose access immediately. This cannot be undone.',
  adminKeysRevoked: 'Key {name} revoked.',
} as const;

/** The same in Indonesian. */
export const ID: Record<keyof typeof EN, string> = {
  adminKeysTitle: 'Kunci API manajemen',
  adminKeysAbout: 'Kunci untuk program yang memakai API manajemen (/admin/v1). Setiap kunci punya peran.',
  adminKeysName: 'Nama',
  adminKeysNameHelp: 'Kegunaan kunci ini. Nama ini muncul di log audit.',
  adminKeysReaches: 'Akses',
  adminKeysAll: 'semua ruang kerja',
  adminKeysMade: 'Dibuat',
  adminKeysEnds: 'Kedaluwarsa',
  adminKeysNever: 'tidak pernah',
  adminKeysNone: 'Belum ada kunci.',
  adminKeysWorkspaceHelp: 'Kosongkan untuk akses ke semua ruang kerja.',
  adminKeysOperator: 'akses penuh ke semua ruang kerja dan instalasi',
  adminKeysExpires: 'Kedaluwarsa setelah',
  adminKeysExpiresHelp: 'Misalnya 90d. Kosongkan agar tidak kedaluwarsa.',
  adminKeysMake: 'Buat kunci',
  adminKeysMadeTitle: 'Kunci API manajemen {name}',
  adminKeysOnce:
    'Salin kunci ini sekarang. Kunci tidak akan ditampilkan lagi. Siapa pun yang memilikinya bisa bertindak dengan perannya.',
  adminKeysRevokeSure:
    'Cabut kunci {name}? Program yang memakainya langsung kehilangan akses. Tindakan ini tidak dapat dibatalkan.',
  adminKeysRevoked: 'Kunci {name} dicabut.',
};
