/** Files of binary formats, as small as they can be. */
import { strToU8, zipSync } from 'fflate'

export const zip = (files: { readonly [name: string]: string }): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))

export const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>endobj
4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
5 0 obj<</Length 42>>stream
BT /F 12 Tf 10 50 Td (A heron waits.) Tj ET
endstream endobj
6 0 obj<</Title(Herons)>>endobj
trailer<</Root 1 0 R/Info 6 0 R>>
`

export const docx = zip({
  '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  '_rels/.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  'word/document.xml':
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Herons</w:t></w:r></w:p><w:p><w:r><w:t>A heron waits.</w:t></w:r></w:p></w:body></w:document>',
  'word/styles.xml':
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
})

export const epub = zip({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
  'OPS/book.opf':
    '<package><metadata><dc:title>Herons &amp; owls</dc:title></metadata><manifest><item id="b" href="b.xhtml"/><item id="a" href="text/a%20b.xhtml"/><item id="n" href="nav.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="n" linear="no"/></spine></package>',
  'OPS/text/a b.xhtml': '<html><head><title>x</title></head><body><h1>One</h1><p>A heron waits.</p></body></html>',
  'OPS/b.xhtml': '<html><body><h1>Two</h1><p>An owl hunts.</p></body></html>',
  'OPS/nav.xhtml': '<html><body><p>Contents</p></body></html>',
})
