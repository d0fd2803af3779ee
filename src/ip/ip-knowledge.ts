/** A yes, a no, or unknown. */
export interface IpDetection {
  readonly detected: boolean | null;
}

/** The known values of an IP address; null is unknown. */
export interface IpKnowledge {
  readonly address: string;
  readonly abuse: IpDetection;
  readonly anonymity: {
    readonly proxy: IpDetection;
    readonly relay: IpDetection;
    readonly tor: IpDetection;
    readonly vpn: IpDetection;
  };
  readonly hosting: IpDetection;
  readonly geo: {
    readonly country: string | null;
    readonly countryCode: string | null;
    readonly continent: string | null;
    readonly continentCode: string | null;
    readonly city: string | null;
  };
  readonly network: {
    readonly asn: number | null;
    readonly aso: string | null;
    readonly domain: string | null;
    readonly type: string | null;
  };
}

const yes: IpDetection = Object.freeze({ detected: true });
const no: IpDetection = Object.freeze({ detected: false });
const unknown: IpDetection = Object.freeze({ detected: null });
const noGeo = Object.freeze({ country: null, countryCode: null, continent: null, continentCode: null, city: null });
const noNetwork = Object.freeze({ asn: null, aso: null, domain: null, type: null });
const noAnonymity = Object.freeze({ proxy: unknown, relay: unknown, tor: unknown, vpn: unknown });

/** Yes if a source says yes, else no if a source says no, else unknown. */
export function detection(first: boolean | null, second: boolean | null): IpDetection {
  if (first === true || second === true) return yes;
  return first === false || second === false ? no : unknown;
}

/** An address without any known value. */
export function unknownIp(address: string): IpKnowledge {
  return { address, abuse: unknown, anonymity: noAnonymity, hosting: unknown, geo: noGeo, network: noNetwork };
}
