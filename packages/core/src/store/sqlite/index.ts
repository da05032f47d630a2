export { backupFile, restoreFile } from './backup.ts';
export { examineState, type StateExamination } from './examine.ts';
export { openMemoryStore, type MemoryStoreOptions } from './memory.ts';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './open.ts';
