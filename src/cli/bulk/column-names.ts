/** The headings of columns that hold addresses, in the form of `plainName`. */
const addressNames: ReadonlySet<string> = new Set(
  plainNames(`email emails emailaddress emailaddresses mail mailaddress mailbox emailid useremail customeremail primaryemail workemail contactemail
  emailadresse mailadresse emailadressen adressemail adresseemail adressemel courriel adresseelectronique adressecourriel
  correo correos correoelectronico email1 direcciondecorreo direcciondecorreoelectronico direccionemail direccionelectronica
  indirizzoemail indirizzomail postaelettronica indirizzodipostaelettronica enderecodeemail enderecoemail correioeletronico
  emailadres emailadressen epost epostadresse epostadress mailadress sahkoposti sahkopostiosoite eposta epostaadresi epostaadresa
  adresemail adresmail adresaemail emailova emailovaadresa emailcim ηλεκτρονικοταχυδρομειο почта электроннаяпочта адресэлектроннойпочты емейл имейл
  електроннапошта 电子邮件 电子邮箱 邮箱 邮件地址 電子郵件 メール メールアドレス 이메일 이메일주소 email주소 البريدالالكتروني דואל`),
);

/** The headings of columns that hold domains. */
const domainNames: ReadonlySet<string> = new Set(
  plainNames(`domain domains domainname emaildomain maildomain companydomain domane domanen domaine domaines nomdedomaine dominio dominios
  dominioemail domein domeinnaam domena domeny domen домен домены 域名 网域 網域 ドメイン 도메인`),
);

function plainNames(words: string): string[] {
  return words.split(/\s+/).map(plainName);
}

/** A heading in lower case, without accents, blanks and punctuation: `E-mail` and `EMAIL` are one. */
export function plainName(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
    .normalize('NFC');
}

/** The kinds of values in columns with known headings. */
export type ColumnKind = 'address' | 'domain';

const names = { address: addressNames, domain: domainNames };

/** Whether a column of this heading holds values of a kind. */
export function isNamed(heading: string, kind: ColumnKind): boolean {
  return names[kind].has(plainName(heading));
}
