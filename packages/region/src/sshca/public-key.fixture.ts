/** Public halves of keys made for these tests with ssh-keygen; the private halves were thrown away. */
export const publicKeys = {
  ed25519: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIP+ZU/qZjp2tKLBLhAcri4VIBRwFXewz4riVoPiMfaaL',
  rsa: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDpyZxD/nQ8wAMY/UFct+tieHOks+zFLCMOwIj8xgoXjlJ1c7u/uIxMXoRE4hQj+BtAcnJQBQxBNnbKCfWXXhADX5D0WxwSi0RhZMDXSL09x8Kb02oqhgn5qeD9Ks5EknrUFnyA8UYKS3/2C64spsVXUpkCQrjMjqYPLiRItsGPNeqfi2CEYN7QYJZnYxjgJYPCpBy7WH7gQzbxgF+LPpDmaUTueSRdITtvSM/DJkkT70MI+6WxN9ZU72vdrIIKIb/cwbp528XZf9R5mevPptR7deUsn18RLbgJ8YhFdAPOZ2v8Jc9cs5Hacn+fG31o9va87iHxhxmPlnHKyYu8cuAr',
  ecdsa256:
    'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMVk0iXi5SoOesRMaI56VUWK/6woVl2Y8TkcckHCpxpcGFwKga71RWJy3wdhazOEv0ZelNUS9fGgFK5VwAS1dBU=',
  ecdsa384:
    'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBIT5uVOaQBZCts+uUNtd0NdrKpAt0DwahHvf2U343qT6gZf2wc97W0NVYGB/NE2e5Hh4ugNuu2XuR9WYe5ZP4jUCgx30KuJSGRMXcAE4GEY/NhSgjM03iELHfFEhH+HxBA==',
  ecdsa521:
    'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABwoP98ROONzp0xfzKsecke1ql1rNRRcMcwbp6ML0lRg9BDQS19wc7YLFmRsOQJ6YplqEAfjotPXOHyfDr4XRBv2AGTsX2fUioTzeaJdkQVxV/PFhlnuTzlgFd/M5ZpVZ+g0a89TMqO/VydB40MQsEtsm1qTyBR2c4llwdPUa6dmpkFIQ==',
} as const;
