export { backupFile, restoreFile } from './backup.ts';
export { openMemoryStore, type MemoryStoreOptions } from './memory.ts';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './open.ts';
