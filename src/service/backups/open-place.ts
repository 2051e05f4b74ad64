import type { S3Access } from '../../exports/lake/s3-client.ts';
import type { BackupPlace } from './backup-place.ts';

/** Opens BACKUP_TO. */
export async function openBackupPlace(to: string, s3: S3Access, signal: AbortSignal): Promise<BackupPlace> {
  if (!to.startsWith('s3://')) return (await import('./local-place.ts')).openLocalPlace(to, signal);
  return await (await import('./s3-place.ts')).openS3Place(to, s3, { signal });
}
