//! The program. It finds its worker beside itself.

use cargo_service::tally::{Client, Error, Reach};

fn main() -> Result<(), Error> {
    let tally = Client::new(&Reach::Environment)?;
    let sum = tally.open()?;
    println!("{}", tally.add(sum, &[1, 2, 3], 3)?);
    println!("{}", tally.add(sum, &[36], 1)?);
    let mut seen = Vec::new();
    tally.each(sum, &mut |number| seen.push(number))?;
    println!("{seen:?}");
    tally.close(sum)?;
    println!("{}", tally.add(sum, &[1], 1).unwrap_err());
    Ok(())
}
