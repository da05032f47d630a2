export { Answers, type Answer } from './answers.ts';
export { guardedDownload, type Download, type DownloadOptions } from './guarded-download.ts';
export { guardedFetch, type GuardedRequest, type GuardOptions } from './guarded-fetch.ts';
export { systemTextRecords, type TextRecords } from './text-records.ts';
export { isPublicAddress, lookupAllowed } from './public-address.ts';
