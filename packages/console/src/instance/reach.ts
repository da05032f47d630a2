interface Rule {
  readonly direction: string;
  readonly protocol: string;
  readonly port?: number;
  readonly portMax?: number;
  readonly prefix?: string;
}

/** Whether a rule lets a TCP connection from the IPv4 address to the port in. Without a rule, nothing comes in. */
export function reaches(rules: readonly Rule[], address: string, port: number): boolean {
  return rules.some(
    (rule) =>
      rule.direction === 'ingress' &&
      (rule.protocol === 'tcp' || rule.protocol === 'any') &&
      (rule.port === undefined || (port >= rule.port && port <= (rule.portMax ?? rule.port))) &&
      (rule.prefix === undefined || contains(rule.prefix, address)),
  );
}

/** Whether a text is an IPv4 address. */
export function isAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function contains(prefix: string, address: string): boolean {
  const [base = '', length = '32'] = prefix.split('/');
  const bits = Number(length);
  const size = 2 ** (32 - bits);
  return Math.floor(valueOf(base) / size) === Math.floor(valueOf(address) / size);
}

function valueOf(address: string): number {
  return address.split('.').reduce((value, part) => value * 256 + Number(part), 0);
}
