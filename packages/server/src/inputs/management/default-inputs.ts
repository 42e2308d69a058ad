/** The inputs that a first start creates. By default they listen for this machine only. */
export interface DefaultInputsConfig {
  readonly bindAddress: string;
  readonly udpPort: number;
  readonly tcpPort: number;
  readonly httpPort: number;
}

export interface DefaultInput {
  readonly title: string;
  readonly type: string;
  readonly configuration: { readonly bind_address: string; readonly port: number };
}

export function defaultInputs(config: DefaultInputsConfig): DefaultInput[] {
  const input = (title: string, type: string, port: number): DefaultInput => ({
    title,
    type,
    configuration: { bind_address: config.bindAddress, port },
  });
  return [
    input('GELF UDP', 'gelf-udp', config.udpPort),
    input('GELF TCP', 'gelf-tcp', config.tcpPort),
    input('GELF HTTP', 'gelf-http', config.httpPort),
  ];
}
