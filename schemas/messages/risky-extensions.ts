/**
 * File extensions that are rejected (docs/contract.md#risky-attachments): opening such a file runs its content or
 * mounts it.
 */
export const RISKY_EXTENSIONS: ReadonlySet<string> = new Set([
  // Windows programs, libraries and installers
  ...['exe', 'com', 'pif', 'scr', 'cpl', 'dll', 'sys', 'msi', 'msp', 'mst', 'msix', 'msixbundle', 'appx', 'appxbundle'],
  ...['appinstaller', 'application', 'gadget', 'diagcab', 'xll', 'cab', 'url'],
  // Windows scripts, shortcuts and settings
  ...['bat', 'cmd', 'ps1', 'ps1xml', 'psc1', 'psm1', 'vb', 'vbe', 'vbs', 'js', 'jse', 'mjs', 'ws', 'wsc', 'wsf', 'wsh'],
  ...[
    'hta',
    'sct',
    'shb',
    'shs',
    'lnk',
    'scf',
    'ins',
    'isp',
    'msc',
    'reg',
    'chm',
    'hlp',
    'settingcontent-ms',
    'library-ms',
  ],
  // other systems
  ...['jar', 'jnlp', 'apk', 'aab', 'xapk', 'ipa', 'app', 'command', 'pkg', 'mpkg', 'dmg', 'deb', 'rpm', 'appimage'],
  ...['sh', 'bash', 'csh', 'ksh', 'zsh'],
  // disk images
  ...['iso', 'img', 'vhd', 'vhdx'],
]);
