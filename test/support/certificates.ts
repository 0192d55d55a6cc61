import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates in the folder a certificate authority (`ca.crt`) and a certificate of it for 127.0.0.1
 * (`own.crt`, `own.key`), which servers and clients use.
 */
export function makeCertificates(folder: string): void {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=CA');
  openssl('req', ...key, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=redis');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  const signer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'own.csr', '-out', 'own.crt', ...signer);
}
