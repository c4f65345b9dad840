/** The texts of the keys of the management API. */
export const EN = {
  adminKeysTitle: 'Management API keys',
  adminKeysAbout: 'With one of these a program does at /admin/v1 what its role may do here.',
  adminKeysName: 'Name',
  adminKeysNameHelp: 'What it is for. The trail names it.',
  adminKeysReaches: 'Reaches',
  adminKeysAll: 'all workspaces',
  adminKeysMade: 'Made',
  adminKeysEnds: 'Ends',
  adminKeysNever: 'never',
  adminKeysNone: 'No key yet.',
  adminKeysWorkspaceHelp: 'Left empty, it reaches all workspaces.',
  adminKeysOperator: 'may do all, in every workspace and in the installation',
  adminKeysExpires: 'Ends after',
  adminKeysExpiresHelp: 'Such as 90d. Left empty: never.',
  adminKeysMake: 'Make a key',
  adminKeysMadeTitle: 'Management API key {name}',
  adminKeysOnce: 'It is shown only now, and kept nowhere. Whoever has it may do what its role may do.',
  adminKeysRevokeSure: 'Revoke the key {name}? Programs that use it are refused at once, for good.',
  adminKeysRevoked: 'The key {name} is revoked.',
} as const;

/** The same in Indonesian. */
export const ID: Record<keyof typeof EN, string> = {
  adminKeysTitle: 'Kunci API manajemen',
  adminKeysAbout:
    'Dengan salah satu kunci ini sebuah program melakukan di /admin/v1 apa yang boleh dilakukan perannya di sini.',
  adminKeysName: 'Nama',
  adminKeysNameHelp: 'Untuk apa kunci ini. Nama ini tercatat di jejak.',
  adminKeysReaches: 'Menjangkau',
  adminKeysAll: 'semua ruang kerja',
  adminKeysMade: 'Dibuat',
  adminKeysEnds: 'Berakhir',
  adminKeysNever: 'tidak pernah',
  adminKeysNone: 'Belum ada kunci.',
  adminKeysWorkspaceHelp: 'Jika kosong, kunci ini menjangkau semua ruang kerja.',
  adminKeysOperator: 'boleh melakukan semuanya, di setiap ruang kerja dan di instalasi',
  adminKeysExpires: 'Berakhir setelah',
  adminKeysExpiresHelp: 'Misalnya 90d. Jika kosong: tidak pernah.',
  adminKeysMake: 'Buat kunci',
  adminKeysMadeTitle: 'Kunci API manajemen {name}',
  adminKeysOnce:
    'Kunci ini hanya ditampilkan sekarang dan tidak disimpan di mana pun. Siapa pun yang memilikinya boleh melakukan apa yang boleh dilakukan perannya.',
  adminKeysRevokeSure: 'Cabut kunci {name}? Program yang memakainya langsung ditolak, untuk selamanya.',
  adminKeysRevoked: 'Kunci {name} dicabut.',
};
