import { expect, it } from 'vitest';

import { extrasOf, softwareFlaw } from './extras.ts';

const nothing = { gpuVendor: '', gpuDriver: '', gpuModels: '', software: '' };

it('an image without a GPU and without software sends neither', () => {
  expect(extrasOf(nothing)).toEqual({});
});

it('the GPU and the software of an image are sent as the API takes them', () => {
  const written = {
    gpuVendor: 'NVIDIA',
    gpuDriver: ' 570.86 ',
    gpuModels: 'H100, A100',
    software: 'kubernetes=v1.31.0\n\n',
  };
  expect(extrasOf(written)).toEqual({
    gpu: { vendor: 'NVIDIA', driver: '570.86', models: ['H100', 'A100'] },
    softwareVersions: { kubernetes: 'v1.31.0' },
  });
});

it('a line of software without a version is refused before it is sent', () => {
  expect(softwareFlaw('kubernetes=v1.31.0')).toBeUndefined();
  expect(softwareFlaw('kubernetes=v1.31.0\ncuda')).toContain('cuda');
});
