export { CertificateFiles, type CertificateFilesContext, type Certificates } from './certificate-files.ts';
