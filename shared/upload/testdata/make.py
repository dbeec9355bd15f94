"""Makes the documents of this folder, but for chromium.pdf."""
import docx
import pikepdf
import pypandoc
import typst
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

LATE = "If you bring a bike back late you pay €3 for each hour that has begun."
LONG = LATE.replace("€3", "3 euros") + " After 24 hours a whole day is charged, and we call the number you gave us."

word = docx.Document()
word.core_properties.title = "Bike rental"
word.add_heading("Late returns", 1)
word.add_paragraph(LATE)
word.add_paragraph("Helmets are free.", style="List Bullet")
word.add_paragraph("Child seats cost 4 € a day.", style="List Bullet")
table = word.add_table(rows=0, cols=2)
for row in [("Day", "Hours"), ("Monday", "8:30 to 18:30"), ("Saturday", "9 to 16")]:
    for cell, text in zip(table.add_row().cells, row):
        cell.text = text
word.save("python-docx.docx")

pypandoc.convert_file("rental.html", "docx", outputfile="pandoc.docx")

style = getSampleStyleSheet()
SimpleDocTemplate("reportlab.pdf", pagesize=A4, title="Bike rental").build([
    Paragraph("Late returns", style["Heading1"]),
    Paragraph(LONG + " This goes over two lines.", style["Normal"]),
    Table([["Monday", "8:30 to 18:30"], ["Saturday", "9:00 to 16:00"]]),
    PageBreak(),
    Paragraph("Größe: XL frames on request – „sehr groß“.", style["Normal"]),
])

typst.compile(f"""#set document(title: "Bike rental")
= Late returns
{LONG} #lorem(40)

- Helmets are free.
- Child seats cost 4 € a day.

#table(columns: 2, [Monday], [8:30 to 18:30], [Saturday], [9 to 16])

Größe: office, fluffy, „sehr groß“.""".encode(), output="typst.pdf")

for name, encryption in [("encrypted", pikepdf.Encryption(owner="o", user="u", R=6)),
                         ("restricted", pikepdf.Encryption(owner="o", user="", R=4))]:
    pikepdf.open("reportlab.pdf").save(f"{name}.pdf", encryption=encryption)
