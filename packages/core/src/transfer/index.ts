export { assertImported, importRecord } from './import-record.ts';
export { fileSource, writeObjects, type FileHeader } from './file.ts';
export { storeSource, type ObjectSource } from './source.ts';
export { survey, type Survey } from './survey.ts';
export { assertTarget, transfer, type Progress, type TransferOptions } from './transfer.ts';
