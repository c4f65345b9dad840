/**
 * MIME types that are rejected (docs/contract.md#risky-attachments): those of the files in RISKY_EXTENSIONS. A mail
 * program may go by the type and not by the name.
 */
export const RISKY_TYPES: ReadonlySet<string> = new Set([
  // Windows programs and installers
  ...['application/x-msdownload', 'application/x-msdos-program', 'application/x-dosexec', 'application/x-exe'],
  ...['application/exe', 'application/x-winexe', 'application/vnd.microsoft.portable-executable'],
  ...['application/x-msi', 'application/x-ms-installer', 'application/x-ms-application', 'application/msix'],
  ...['application/appx', 'application/appxbundle', 'application/msixbundle', 'application/appinstaller'],
  ...['application/x-ms-dos-executable', 'application/vnd.ms-cab-compressed', 'application/x-cab'],
  // scripts and shortcuts
  ...['application/x-perl', 'text/x-perl', 'application/x-python-code', 'application/internet-shortcut'],
  ...['application/hta', 'application/x-bat', 'application/bat', 'application/x-msdos-batch', 'text/x-msdos-batch'],
  ...['text/javascript', 'application/javascript', 'application/x-javascript', 'application/ecmascript'],
  ...['text/ecmascript', 'text/jscript', 'text/vbscript', 'text/vbs', 'application/x-vbs', 'application/x-powershell'],
  ...['application/x-ms-shortcut', 'application/x-win-lnk', 'application/x-sh', 'application/x-shellscript'],
  ...['text/x-sh', 'text/x-shellscript', 'application/x-csh', 'text/x-script.sh', 'text/scriptlet'],
  ...['application/x-mscfile', 'application/vnd.ms-htmlhelp', 'application/winhlp'],
  // other systems
  ...['application/java-archive', 'application/x-java-archive', 'application/x-java-jnlp-file'],
  ...['application/vnd.android.package-archive', 'application/x-executable', 'application/x-elf'],
  ...[
    'application/x-sharedlib',
    'application/x-mach-binary',
    'application/vnd.appimage',
    'application/x-apple-diskimage',
  ],
  ...['application/vnd.debian.binary-package', 'application/x-debian-package', 'application/x-deb'],
  ...['application/x-rpm', 'application/x-redhat-package-manager', 'application/vnd.apple.installer+xml'],
  // disk images
  ...['application/x-iso9660-image', 'application/x-cd-image', 'application/x-virtualbox-vhd'],
]);
